#include <cstring>

#include "device.h"
#include "heap.h"
#include "modules.h"
#include "report.h"

namespace attn::emulator {

std::string argument_name(std::uintptr_t start, std::size_t size) {
    if (!device.running) return {};
    // Arguments lie in a tuple, the last one first in libstdc++: pointers are found by their value, and
    // counted only where the tuple holds nothing but words.
    const auto* bytes = static_cast<const char*>(device.launch.request.call);
    for (std::size_t at = device.launch.request.call_size; at >= 2 * sizeof(std::uintptr_t);
         at -= sizeof(std::uintptr_t)) {
        std::uintptr_t word;
        std::memcpy(&word, bytes + at - sizeof word, sizeof word);
        if (word - start < size)
            return " that kernel " + std::string(device.launch.request.name) + " was given";
    }
    return {};
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
               " of the " + std::to_string(allocation->size) + " bytes from " + place_name(allocation->place);
    }
    if (const Module* of = module_of(address))
        return "a __device__ variable of " + of->file.substr(of->file.rfind('/') + 1);
    return "memory of the host";
}

}  // namespace attn::emulator
