#include "allocations.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "access_findings.h"
#include "device_api.h"
#include "device_bits.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "memory_api.h"
#include "modules.h"
#include "program.h"
#include "streams_api.h"

namespace attn::emulator {
namespace {

constexpr std::size_t kPitch = 512;  // rows begin at multiples of it, as on common GPUs
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

cudaError_t allocate_for_both(void** pointer, std::size_t size, Place place, HostAccess use) {
    const cudaError_t error = allocate(pointer, size, place);
    if (error != cudaSuccess || size == 0) return error;
    allocation_of(reinterpret_cast<std::uintptr_t>(*pointer))->host = use;
    return cudaSuccess;
}

std::map<std::uintptr_t, std::size_t>& pinned() {
    static auto* const instance = new std::map<std::uintptr_t, std::size_t>;
    return *instance;
}

std::vector<HostRange>& ranges() {
    static auto* const instance = new std::vector<HostRange>;
    return *instance;
}

cudaError_t the_pool(cudaMemPool_t* pool, int number) {
    if (number != 0) return record_error(cudaErrorInvalidDevice);
    static char handle;
    *pool = reinterpret_cast<cudaMemPool_t>(&handle);
    return cudaSuccess;
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

cudaError_t allocate_rows(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows,
                          Place place) {
    if (pitch == nullptr) return record_error(cudaErrorInvalidValue);
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    return allocate(pointer, *pitch * rows, place);
}

cudaError_t allocate_managed(void** pointer, std::size_t size, Place place) {
    return allocate_for_both(pointer, size, place, HostAccess::managed);
}

cudaError_t allocate_mapped(void** pointer, std::size_t size, Place place) {
    return allocate_for_both(pointer, size, place, HostAccess::mapped);
}

cudaError_t device_pointer(void** device_side, void* host, Place place) {
    const auto address = reinterpret_cast<std::uintptr_t>(host);
    const Allocation* const at = allocation_of(address);
    if (at == nullptr || at->host != HostAccess::mapped) {
        note("bad_copy", place_name(place),
             "cudaHostGetDevicePointer in " + place_name(place) +
                 ": the pointer did not come from cudaHostAlloc with cudaHostAllocMapped.");
        return record_error(cudaErrorInvalidValue);
    }
    *device_side = host;
    return sticky_error();
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

void remember_host_range(const HostRange& range) {
    if (range.size == 0) return;
    ranges().push_back(range);
    device.host_watched = true;
}

void forget_host_range(const HostRange& range) {
    if (range.size == 0) return;
    const auto found = std::find_if(ranges().begin(), ranges().end(), [&](const HostRange& one) {
        return one.start == range.start && one.size == range.size && one.written == range.written;
    });
    if (found != ranges().end()) ranges().erase(found);
    device.host_watched = !ranges().empty();
}

void forget_host_ranges() {
    device.host_watched = false;
    ranges().clear();
}

void check_host_range(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc) {
    for (const HostRange& range : ranges()) {
        if (address >= range.start + range.size || address + size <= range.start) continue;
        if (!range.written && access == Access::kRead) continue;
        note("not_synchronised", std::to_string(pc),
             place_of(pc) + ": the host " + (access == Access::kRead ? "reads" : "writes") +
                 " memory that a queued cudaMemcpyAsync still has to " + (range.written ? "fill" : "read") +
                 ". A cudaStreamSynchronize() or cudaDeviceSynchronize() is missing before it.");
    }
}

bool is_memory(const void* pointer, Memory kind) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const Module* const module = device.launch.module;
    const bool shared = module != nullptr && address - module->shared < module->shared_size;
    const bool global = in_heap(address) || module_of(address) != nullptr;
    switch (kind) {
        case Memory::shared:
            return shared;
        case Memory::global:
            return global && !shared;
        case Memory::local:
            return !global && !shared && pointer != nullptr;
    }
    return false;
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

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, Place place) {
    if (pointer == nullptr) return record_error(cudaErrorInvalidValue);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return allocate_rows(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth, place);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = memory_size() - heap_used();
    *total = memory_size();
    return sticky_error();
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    const Allocation* const at = allocation_of(reinterpret_cast<std::uintptr_t>(pointer));
    void* const same = const_cast<void*>(pointer);
    if (at == nullptr || at->freed)
        *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, same};
    else if (at->host == HostAccess::none)
        *attributes = {cudaMemoryTypeDevice, 0, same, nullptr};
    else
        *attributes = {at->host == HostAccess::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, 0, same,
                       same};
    return sticky_error();
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
    return the_pool(pool, number);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int number) {
    return the_pool(pool, number);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
    return pool == nullptr || value == nullptr ? record_error(cudaErrorInvalidValue) : sticky_error();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    return pool == nullptr ? record_error(cudaErrorInvalidValue) : sticky_error();
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = *greatest = 0;
    return sticky_error();
}

cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp*) {
    *number = 0;
    return sticky_error();
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int number, int peer) {
    *can = 0;
    return number == 0 && peer == 0 ? sticky_error() : record_error(cudaErrorInvalidDevice);
}
