#include <cstring>

#include "access_findings.h"
#include "device_state.h"
#include "heap.h"
#include "modules.h"

namespace attn::emulator {

std::string argument_name(std::uintptr_t start, std::size_t size) {
    const detail::Request& request = device.launch.request;
    if (!device.running) return {};
    for (std::size_t k = 0; k < request.argument_count; ++k) {
        // The pointer may be a member of the argument: of a TensorView, of a struct of parameters.
        const detail::Argument& argument = request.layout[k];
        for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= argument.size;
             at += alignof(std::uintptr_t)) {
            std::uintptr_t word;
            std::memcpy(&word, static_cast<const char*>(request.call) + argument.offset + at, sizeof word);
            if (word - start < size) return "argument " + std::to_string(k + 1) + " of the kernel";
        }
    }
    return {};
}

std::string allocation_name(const Allocation& allocation) {
    const std::string argument = argument_name(allocation.start, allocation.size);
    const std::string place = allocated_place(allocation);
    return "the " + std::to_string(allocation.size) + " bytes " +
           (argument.empty() ? "from " + place : "at " + argument + " (from " + place + ")");
}

std::string memory_name(std::uintptr_t address, std::size_t size) {
    const Module* module = device.launch.module;
    if (module != nullptr && address - module->shared < module->shared_size) {
        const std::size_t offset = address - module->shared;
        const SharedArray* array = array_near(*module, offset);
        if (array == nullptr) return "shared memory";
        const std::size_t at = offset - array->offset;
        if (at % size != 0) return "byte " + std::to_string(at) + " of " + array->name;
        return "element " + std::to_string(at / size) + " of " + array->name;
    }
    if (const Allocation* allocation = in_heap(address) ? allocation_near(address) : nullptr) {
        const std::size_t at = address - allocation->start;
        return (at % size == 0 ? "element " + std::to_string(at / size) : "byte " + std::to_string(at)) +
               " of " + allocation_name(*allocation);
    }
    if (module_of(address) != nullptr) return "a __device__ variable";
    return "memory of the host";
}

}  // namespace attn::emulator
