#pragma once
/// Memory that host and device both use: managed memory, and page-locked memory of the host that is mapped.

#include <cstddef>

#include "driver_types.h"
#include "memory_api.h"

/// A variable of the device that the host may use, too.
#define __managed__

#pragma GCC visibility push(default)

namespace attn::emulator {

cudaError_t allocate_managed(void** pointer, std::size_t size, Place place);
cudaError_t allocate_mapped(void** pointer, std::size_t size, Place place);
cudaError_t device_pointer(void** device, void* host, Place place);

}  // namespace attn::emulator

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

#pragma GCC visibility pop

template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t size, unsigned = cudaMemAttachGlobal,
                              attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::allocate_managed(reinterpret_cast<void**>(pointer), size, place);
}

template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t size, unsigned = 0) {
    return attn::emulator::allocate_on_host(reinterpret_cast<void**>(pointer), size);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t size, unsigned flags,
                          attn::emulator::Place place = attn::emulator::Place::current()) {
    if ((flags & cudaHostAllocMapped) != 0)
        return attn::emulator::allocate_mapped(reinterpret_cast<void**>(pointer), size, place);
    return attn::emulator::allocate_on_host(reinterpret_cast<void**>(pointer), size);
}
/// The device's address of mapped memory, which is the host's address.
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned,
                                     attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::device_pointer(reinterpret_cast<void**>(device), host, place);
}

/// Memory of the host that is page-locked afterwards. Here all of it is treated alike; it cannot be mapped.
inline cudaError_t cudaHostRegister(void*, std::size_t, unsigned flags) {
    return (flags & cudaHostRegisterMapped) != 0 ? cudaErrorNotSupported : cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void*) {
    return cudaSuccess;
}

/// Advice has no effect: the emulator's memory is in one place.
inline cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t = nullptr) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned,
                                        cudaStream_t = nullptr) {
    return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) {
    return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
    return cudaSuccess;
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T*, std::size_t = 0, unsigned = 0) {
    return cudaSuccess;
}
inline cudaError_t cudaSetDeviceFlags(unsigned) {
    return cudaSuccess;
}
