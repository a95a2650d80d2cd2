#include "memory_api.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "access_findings.h"
#include "copies.h"
#include "cuda_errors.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "output_writes.h"
#include "queue.h"
#include "required_stream.h"

namespace attn::emulator {
namespace {

constexpr std::size_t kPinnedAlignment = 256;

cudaError_t release(const char* function, void* pointer, const Place& place) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    Allocation* const at = allocation_of(address);
    const std::string start = std::string(function) + " in " + place_name(place) + ": the pointer ";
    const std::string key = place_name(place);
    if (at == nullptr && !in_heap(address))
        note("bad_free", key, start + "did not come from cudaMalloc.");
    else if (at == nullptr)
        note("bad_free", key, start + "points into no allocation of the device.");
    else if (at->freed)
        note("bad_free", key, start + "was freed already, in " + freed_place(*at) + ".");
    else if (at->kernel_pc != 0)
        note("bad_free", key, start + "came from malloc or new in a kernel, and only a kernel can free it.");
    else if (at->start != address)
        note("bad_free", key,
             start + "is not the one that cudaMalloc returned, but " + std::to_string(address - at->start) +
                 " bytes after it.");
    else {
        heap_free(*at, place);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t allocate(void** pointer, std::size_t size, Place place) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (pointer == nullptr) return record_error(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (size == 0) return cudaSuccess;
    const Allocation* const allocation = heap_allocate(size, place);
    if (allocation == nullptr) return record_error(cudaErrorMemoryAllocation);
    *pointer = reinterpret_cast<void*>(allocation->start);
    return cudaSuccess;
}

cudaError_t allocate_on_stream(void** pointer, std::size_t size, cudaStream_t stream, Place place) {
    if (!is_known(stream)) return record_error(cudaErrorInvalidResourceHandle);
    check_stream("The cudaMallocAsync in " + place_name(place), stream, "cudaMallocAsync(.., stream)");
    const cudaError_t error = allocate(pointer, size, place);
    if (error == cudaSuccess && size > 0)
        allocation_of(reinterpret_cast<std::uintptr_t>(*pointer))->stream_ordered = true;
    return error;
}

cudaError_t allocate_on_host(void** pointer, std::size_t size) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (pointer == nullptr) return record_error(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (size == 0) return cudaSuccess;
    *pointer = std::aligned_alloc(kPinnedAlignment,
                                  (size + kPinnedAlignment - 1) / kPinnedAlignment * kPinnedAlignment);
    if (*pointer == nullptr) return record_error(cudaErrorMemoryAllocation);
    remember_pinned(*pointer, size);
    return cudaSuccess;
}

namespace {

cudaError_t symbol_size(std::size_t symbol, std::size_t size, std::size_t offset, const Place& place) {
    if (offset <= symbol && size <= symbol - offset) return cudaSuccess;
    note("bad_copy", place_name(place),
         "The copy in " + place_name(place) + " requests " + std::to_string(size) + " bytes at offset " +
             std::to_string(offset) + " of a variable of " + std::to_string(symbol) + " bytes.");
    return record_error(cudaErrorInvalidValue);
}

}  // namespace

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

cudaError_t cudaFree(void* pointer, Place place) {
    // The device waits before it frees memory of cudaMalloc. Memory of cudaMallocAsync goes back to its pool at
    // once: "the driver assumes that all accesses to the allocation are complete".
    if (const Allocation* const at = allocation_of(reinterpret_cast<std::uintptr_t>(pointer));
        at != nullptr && at->stream_ordered && !at->freed) {
        run_ahead();
        check_release("cudaFree in " + place_name(place), *at, true);
    }
    const cudaError_t error = finish_everything();
    if (error != cudaSuccess || pointer == nullptr) return error;
    return record_error(release("cudaFree", pointer, place));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, Place place) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    check_stream("The cudaFreeAsync in " + place_name(place), stream, "cudaFreeAsync(.., stream)");
    return record_error(push(stream, [pointer, place] {
        const Allocation* const at = allocation_of(reinterpret_cast<std::uintptr_t>(pointer));
        ++device.interval;
        if (at != nullptr && !at->freed) check_release("cudaFreeAsync in " + place_name(place), *at, false);
        record_error(release("cudaFreeAsync", pointer, place));
    }));
}

cudaError_t cudaFreeHost(void* pointer, Place place) {
    const cudaError_t error = finish_everything();
    if (pointer == nullptr) return error;
    if (Allocation* const at = allocation_of(reinterpret_cast<std::uintptr_t>(pointer));
        at != nullptr && at->host == HostAccess::mapped && !at->freed) {
        heap_free(*at, place);
        return error;
    }
    if (!forget_pinned(pointer)) {
        note("bad_free", place_name(place),
             "cudaFreeHost in " + place_name(place) + ": the pointer did not come from cudaMallocHost.");
        return record_error(cudaErrorInvalidValue);
    }
    std::free(pointer);
    return error;
}

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

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = kMemoryLimit - heap_used();
    *total = kMemoryLimit;
    return sticky_error();
}
