#include "copies.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access_findings.h"
#include "allocations.h"
#include "device_api.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "memory_api.h"
#include "modules.h"
#include "program.h"
#include "streams.h"

namespace attn::emulator {
namespace {

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

/// Reports a copy to the host of elements that nothing has written. Graded outputs are judged by their numbers.
void check_written(const Copy& copy, std::uintptr_t from) {
    const Allocation* const source = allocation_of(from);
    const auto is_of_launch = [](const Finding& finding) {
        return finding.kind == "bad_launch" || finding.kind == "shared_memory_too_small";
    };
    if (source == nullptr || source->cells == nullptr || source->host != HostAccess::none || is_graded() ||
        std::any_of(findings().begin(), findings().end(), is_of_launch))
        return;
    // Where no kernel has told the type, 16 bytes are more than the padding in a struct.
    const std::size_t element = source->element != 0 ? source->element : 16, offset = from - source->start;
    const std::size_t size = std::min(copy.width, source->size - offset);
    const Unwritten found = unwritten_elements(source->cells, offset, size, element);
    if (found.count == 0) return;
    const bool typed = source->element != 0 && offset % element == 0;
    const std::size_t unit = typed ? 1 : element, start = typed ? offset / element : offset;
    const std::size_t first = start + found.first * unit, last = start + (found.last + 1) * unit - 1;
    note("uninitialised_read", place_name(copy.place),
         name_of(copy) + " copies " + (typed ? "element" : "byte") +
             (first == last ? " " + std::to_string(first)
                            : "s " + std::to_string(first) + " to " + std::to_string(last)) +
             " of " + allocation_name(*source) +
             (found.last - found.first + 1 < found.count ? ", and others," : "") +
             " to the host, but nothing has written there. Memory from cudaMalloc holds NaN here, and any "
             "value "
             "on a GPU. Are there enough threads and blocks, and do they reach each element?");
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
        if (!on_device(to_row)) check_written(copy, reinterpret_cast<std::uintptr_t>(from_row));
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

cudaError_t symbol_size(std::size_t symbol, std::size_t size, std::size_t offset, const Place& place) {
    if (offset <= symbol && size <= symbol - offset) return cudaSuccess;
    note("bad_copy", place_name(place),
         "The copy in " + place_name(place) + " requests " + std::to_string(size) + " bytes at offset " +
             std::to_string(offset) + " of a variable of " + std::to_string(symbol) + " bytes.");
    return record_error(cudaErrorInvalidValue);
}

void* row_at(const cudaPitchedPtr& pointer, const cudaPos& position, std::size_t slice) {
    return static_cast<char*>(pointer.ptr) + position.x +
           pointer.pitch * (position.y + pointer.ysize * (position.z + slice));
}

cudaError_t copy_slices(const char* function, const cudaMemcpy3DParms& what, cudaStream_t stream, bool wait,
                        const Place& place) {
    if (what.srcArray != nullptr || what.dstArray != nullptr) return record_error(cudaErrorNotSupported);
    for (std::size_t slice = 0; slice < what.extent.depth; ++slice) {
        const cudaError_t error =
            queue_copy({function, row_at(what.dstPtr, what.dstPos, slice), what.dstPtr.pitch,
                        row_at(what.srcPtr, what.srcPos, slice), what.srcPtr.pitch, what.extent.width,
                        what.extent.height, what.kind, stream, place},
                       wait);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace

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

cudaError_t copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source, std::size_t size,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait,
                           Place place) {
    if (const cudaError_t error = symbol_size(symbol_bytes, size, offset, place); error != cudaSuccess)
        return error;
    return queue_copy({"cudaMemcpyToSymbol", static_cast<char*>(symbol) + offset, size, source, size, size, 1,
                       kind, stream, place},
                      wait);
}

cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t size, std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                             bool wait, Place place) {
    if (const cudaError_t error = symbol_size(symbol_bytes, size, offset, place); error != cudaSuccess)
        return error;
    return queue_copy({"cudaMemcpyFromSymbol", destination, size, static_cast<const char*>(symbol) + offset,
                       size, size, 1, kind, stream, place},
                      wait);
}

}  // namespace attn::emulator

using namespace attn::emulator;

cudaError_t cudaMemset(void* pointer, int value, std::size_t size, Place place) {
    return cudaMemsetAsync(pointer, value, size, nullptr, place);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t size, cudaStream_t stream, Place place) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (size == 0) return cudaSuccess;
    if (!check_device_range("cudaMemset", "memory", pointer, size, place))
        return record_error(cudaErrorInvalidValue);
    const std::string name = "cudaMemset in " + place_name(place);
    check_stream("The " + name, stream, "cudaMemsetAsync(.., stream)");
    return record_error(push(
        stream,
        [pointer, value, size, name] {
            const auto address = reinterpret_cast<std::uintptr_t>(pointer);
            const Allocation* const at = in_heap(address) ? allocation_of(address) : nullptr;
            if (at != nullptr && at->freed) return report_freed(name, "memory", *at);
            const DeviceWrite write;
            std::memset(pointer, value, size);
            if (at == nullptr) return;
            ++device.interval;
            check_operation_access(name, address, size, true);
            mark_written(at->cells, address - at->start, size);
        },
        {}, name));
}

cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                       Place place) {
    return queue_copy({"cudaMemcpy", destination, size, source, size, size, 1, kind, nullptr, place}, true);
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream, Place place) {
    return queue_copy({"cudaMemcpyAsync", destination, size, source, size, size, 1, kind, stream, place},
                      false);
}

cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                         Place place) {
    return queue_copy({"cudaMemcpy2D", destination, destination_pitch, source, source_pitch, width, height,
                       kind, nullptr, place},
                      true);
}

cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream, Place place) {
    return queue_copy({"cudaMemcpy2DAsync", destination, destination_pitch, source, source_pitch, width,
                       height, kind, stream, place},
                      false);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, Place place) {
    return copy_slices("cudaMemcpy3D", *parameters, nullptr, true, place);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream, Place place) {
    return copy_slices("cudaMemcpy3DAsync", *parameters, stream, false, place);
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream, Place place) {
    if (width > pitch) return record_error(cudaErrorInvalidPitchValue);
    for (std::size_t row = 0; row < height; ++row)
        if (const cudaError_t error =
                cudaMemsetAsync(static_cast<char*>(pointer) + row * pitch, value, width, stream, place);
            error != cudaSuccess)
            return error;
    return cudaSuccess;
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                         Place place) {
    return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr, place);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, Place place) {
    for (std::size_t slice = 0; slice < extent.depth; ++slice)
        if (const cudaError_t error = cudaMemset2D(row_at(pointer, {}, slice), pointer.pitch, value,
                                                   extent.width, extent.height, place);
            error != cudaSuccess)
            return error;
    return cudaSuccess;
}
