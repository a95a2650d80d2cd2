#include "copies.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access_findings.h"
#include "cuda_errors.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "modules.h"
#include "output_writes.h"
#include "queue.h"
#include "required_stream.h"

namespace attn::emulator {
namespace {

std::map<std::uintptr_t, std::size_t>& pinned() {
    static auto* const instance = new std::map<std::uintptr_t, std::size_t>;
    return *instance;
}

bool is_pinned(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (const Allocation* const at = allocation_of(address); at != nullptr)
        return at->host == HostAccess::mapped;
    auto after = pinned().upper_bound(address);
    if (after == pinned().begin()) return false;
    --after;
    return address - after->first < after->second;
}

/// True for allocated device memory only. A `__device__` variable lies in its module's memory, like host
/// variables.
bool on_device(const void* pointer) {
    return in_heap(reinterpret_cast<std::uintptr_t>(pointer));
}

std::string name_of(const Copy& copy) {
    return copy.function + (" in " + place_name(copy.place));
}

std::string says(const char* function, const Place& place) {
    return std::string(function) + " in " + place_name(place) + ": ";
}

bool check_host_pointer(const Copy& copy, const char* role, const void* pointer) {
    const Allocation* const at = allocation_of(reinterpret_cast<std::uintptr_t>(pointer));
    if (!on_device(pointer) || (at != nullptr && at->host != HostAccess::none)) return true;
    note("bad_copy", place_name(copy.place) + role,
         says(copy.function, copy.place) + "the " + role +
             " is device memory, but the direction says that it is host memory. Are the pointers or the "
             "direction the wrong way round?");
    return false;
}

cudaError_t check(const Copy& copy) {
    const bool to_device = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
    const bool from_device = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
    if (copy.kind == cudaMemcpyHostToDevice && copy.destination != nullptr && !on_device(copy.destination) &&
        module_of(reinterpret_cast<std::uintptr_t>(copy.destination)) == nullptr && on_device(copy.source)) {
        note("bad_copy", place_name(copy.place),
             says(copy.function, copy.place) +
                 "the source is device memory and the destination is memory of the host. Should the "
                 "direction be "
                 "cudaMemcpyDeviceToHost, or are the two exchanged?");
        return cudaErrorInvalidValue;
    }
    const bool destination_good = to_device
                                      ? check_device_range(copy.function, "destination", copy.destination,
                                                           copy.destination_size(), copy.place)
                                      : check_host_pointer(copy, "destination", copy.destination);
    if (!destination_good) return cudaErrorInvalidValue;
    const bool source_good =
        from_device ? check_device_range(copy.function, "source", copy.source, copy.source_size(), copy.place)
                    : check_host_pointer(copy, "source", copy.source);
    return source_good ? cudaSuccess : cudaErrorInvalidValue;
}

void perform(const Copy& copy) {
    for (const auto& [role, pointer] :
         {std::pair<const char*, const void*>{"source", copy.source}, {"destination", copy.destination}})
        if (const Allocation* const at = allocation_of(reinterpret_cast<std::uintptr_t>(pointer));
            at != nullptr && at->freed)
            return report_freed(name_of(copy), role, *at);
    ++device.interval;
    std::optional<DeviceWrite> write;
    if (on_device(copy.source) && on_device(copy.destination)) write.emplace();
    auto* to = static_cast<char*>(copy.destination);
    const auto* from = static_cast<const char*>(copy.source);
    for (std::size_t row = 0; row < copy.height; ++row) {
        char* const to_row = to + row * copy.destination_pitch;
        const char* const from_row = from + row * copy.source_pitch;
        std::memmove(to_row, from_row, copy.width);
        check_operation_access(name_of(copy), reinterpret_cast<std::uintptr_t>(from_row), copy.width, false);
        check_operation_access(name_of(copy), reinterpret_cast<std::uintptr_t>(to_row), copy.width, true);
        Allocation* const target =
            on_device(to_row) ? allocation_of(reinterpret_cast<std::uintptr_t>(to_row)) : nullptr;
        if (target == nullptr) continue;
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(to_row) - target->start;
        const Allocation* const source =
            on_device(from_row) ? allocation_of(reinterpret_cast<std::uintptr_t>(from_row)) : nullptr;
        if (source == nullptr)
            mark_written(target->cells, offset, copy.width);
        else
            copy_written(target->cells, offset, source->cells,
                         reinterpret_cast<std::uintptr_t>(from_row) - source->start, copy.width);
    }
}

HostRange host_range(const Copy& copy) {
    if (!on_device(copy.destination) && is_pinned(copy.destination))
        return {reinterpret_cast<std::uintptr_t>(copy.destination), copy.destination_size(), true};
    if (!on_device(copy.source) && is_pinned(copy.source))
        return {reinterpret_cast<std::uintptr_t>(copy.source), copy.source_size(), false};
    return {};
}

}  // namespace

void remember_pinned(void* memory, std::size_t size) {
    pinned()[reinterpret_cast<std::uintptr_t>(memory)] = size;
}

bool forget_pinned(void* memory) {
    return pinned().erase(reinterpret_cast<std::uintptr_t>(memory)) != 0;
}

void forget_all_pinned() {
    for (const auto& [address, size] : pinned()) std::free(reinterpret_cast<void*>(address));
    pinned().clear();
}

bool check_device_range(const char* function, const char* role, const void* pointer, std::size_t size,
                        const Place& place) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const std::string key = place_name(place) + role;
    const std::string start = says(function, place) + "the " + role;
    if (const Module* module = module_of(address); module != nullptr && address + size <= module->end)
        return true;
    if (!in_heap(address)) {
        note("bad_copy", key,
             start + (address != 0 ? " is no device memory, but should be. Is it memory of the host?"
                      : failed_allocation().empty() ? " is a null pointer."
                                                    : " is a null pointer: " + failed_allocation() + "."));
        return false;
    }
    const Allocation* const at = allocation_of(address);
    if (at == nullptr) {
        note("bad_copy", key, start + " points into no allocation of the device.");
        return false;
    }
    if (at->freed) {
        note("use_after_free", key, start + " was freed in " + freed_place(*at) + ".");
        return false;
    }
    const std::size_t left = at->size - (address - at->start);
    if (size <= left) return true;
    note("bad_copy", key,
         start + " has " + std::to_string(left) + " bytes (cudaMalloc in " + allocated_place(*at) + "), " +
             std::to_string(size) + " are requested. Sizes are in bytes: count * sizeof(float).");
    return false;
}

cudaError_t queue_copy(Copy copy, bool wait) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (copy.width > copy.destination_pitch || copy.width > copy.source_pitch)
        return record_error(copy.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue);
    if (copy.width == 0 || copy.height == 0) return cudaSuccess;
    if (copy.kind == cudaMemcpyDefault)
        copy.kind = static_cast<cudaMemcpyKind>((on_device(copy.destination) ? 1 : 0) +
                                                (on_device(copy.source) ? 2 : 0));
    if (const cudaError_t error = check(copy); error != cudaSuccess) return record_error(error);
    // The host waits for the other copies, so that no work of them is left on their stream.
    if (!wait || copy.kind == cudaMemcpyDeviceToDevice)
        check_stream("The " + name_of(copy), copy.stream, "cudaMemcpyAsync(.., stream)");
    const bool to_host = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyHostToHost;
    if (!wait && copy.kind == cudaMemcpyHostToDevice && !is_pinned(copy.source)) {
        // The driver copies pageable memory into a buffer of its own at once.
        const auto* bytes = static_cast<const char*>(copy.source);
        const auto staged = std::make_shared<std::vector<char>>(bytes, bytes + copy.source_size());
        return record_error(push(
            copy.stream,
            [copy, staged]() mutable {
                copy.source = staged->data();
                perform(copy);
            },
            {}, name_of(copy)));
    }
    // A copy to pageable memory is never asynchronous; a copy within the device always is.
    if (to_host && !is_pinned(copy.destination)) wait = true;
    if (copy.kind == cudaMemcpyDeviceToDevice) wait = false;
    const cudaError_t error = push(
        copy.stream, [copy] { perform(copy); }, wait ? HostRange{} : host_range(copy), name_of(copy));
    if (error != cudaSuccess || !wait) return record_error(error);
    return finish(last_operation(copy.stream));
}

}  // namespace attn::emulator
