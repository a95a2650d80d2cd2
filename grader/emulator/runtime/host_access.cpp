/// Memory that host and device both use.

#include <string>

#include "cuda_errors.h"
#include "device_state.h"
#include "findings.h"
#include "heap.h"
#include "host_access_api.h"
#include "queue.h"
#include "streams_api.h"

namespace attn::emulator {
namespace {

cudaError_t allocate_for_both(void** pointer, std::size_t size, Place place, HostAccess use) {
    const cudaError_t error = allocate(pointer, size, place);
    if (error != cudaSuccess || size == 0) return error;
    allocation_of(reinterpret_cast<std::uintptr_t>(*pointer))->host = use;
    return cudaSuccess;
}

}  // namespace

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

}  // namespace attn::emulator

using namespace attn::emulator;

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (function == nullptr) return record_error(cudaErrorInvalidValue);
    return record_error(push(stream, [function, data] { function(data); }));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
    if (sticky_error() != cudaSuccess) return sticky_error();
    if (callback == nullptr) return record_error(cudaErrorInvalidValue);
    return record_error(push(stream, [stream, callback, data] { callback(stream, cudaSuccess, data); }));
}
