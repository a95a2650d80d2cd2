#include <cstring>

#include "access_findings.h"
#include "device_state.h"
#include "heap.h"
#include "modules.h"

namespace attn::emulator {

namespace {

/// The first argument of the kernel that points into [start, start + size), or null. The pointer may be a
/// member of the argument: of a TensorView, of a struct of parameters.
const detail::Argument* argument_to(std::uintptr_t start, std::size_t size) {
    const detail::Request& request = device.launch.request;
    if (!device.running) return nullptr;
    for (std::size_t k = 0; k < request.argument_count; ++k) {
        const detail::Argument& argument = request.layout[k];
        for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= argument.size;
             at += alignof(std::uintptr_t)) {
            std::uintptr_t word;
            std::memcpy(&word, static_cast<const char*>(request.call) + argument.offset + at, sizeof word);
            if (word - start < size) return &argument;
        }
    }
    return nullptr;
}

/// "element 3 of ", "elements 4 to 7 of ", "byte 5 of ". `element`: the size of an element; 0 if not known.
std::string element_name(std::size_t at, std::size_t size, std::size_t element) {
    if (element == 0) element = size == 16 ? sizeof(float) : size;
    const bool whole =
        size % element == 0 ? at % element == 0 : size < element && at % element + size <= element;
    if (!whole) return "byte " + std::to_string(at) + " of ";
    const std::size_t first = at / element, last = (at + size - 1) / element;
    if (first == last) return "element " + std::to_string(first) + " of ";
    return "elements " + std::to_string(first) + " to " + std::to_string(last) + " of ";
}

}  // namespace

std::string argument_name(std::uintptr_t start, std::size_t size) {
    const detail::Argument* const argument = argument_to(start, size);
    if (argument == nullptr) return {};
    const auto index = static_cast<std::size_t>(argument - device.launch.request.layout);
    const std::string name = parameter_name(index);
    return name.empty() ? "argument " + std::to_string(index + 1) + " of the kernel" : name;
}

std::string null_parameter() {
    const detail::Request& request = device.launch.request;
    std::string found;
    for (std::size_t k = 0; device.running && k < request.argument_count; ++k) {
        const detail::Argument& argument = request.layout[k];
        if (argument.element == 0) continue;
        std::uintptr_t word;
        std::memcpy(&word, static_cast<const char*>(request.call) + argument.offset, sizeof word);
        if (word != 0) continue;
        if (!found.empty()) return {};
        found = parameter_name(k);
    }
    return found;
}

std::string allocation_name(const Allocation& allocation) {
    const std::string argument = argument_name(allocation.start, allocation.size),
                      place = allocated_place(allocation);
    const std::string bytes = std::to_string(allocation.size) + " bytes";
    return argument.empty() ? "the " + bytes + " from " + place
                            : argument + " (" + bytes + " from " + place + ")";
}

std::string memory_name(std::uintptr_t address, std::size_t size) {
    const Module* module = device.launch.module;
    if (module != nullptr && address - module->shared < module->shared_size) {
        const std::size_t offset = address - module->shared;
        const SharedArray* array = array_near(*module, offset);
        if (array == nullptr) return "shared memory";
        const std::size_t at = offset - array->offset;
        return element_name(at, size, 0) + array->name;
    }
    if (const Allocation* allocation = in_heap(address) ? allocation_near(address) : nullptr) {
        const std::size_t at = address - allocation->start;
        const detail::Argument* const argument = argument_to(allocation->start, allocation->size);
        return element_name(at, size, argument != nullptr ? argument->element : 0) +
               allocation_name(*allocation);
    }
    if (module_of(address) != nullptr) return "a __device__ variable";
    return "memory of the host";
}

}  // namespace attn::emulator
