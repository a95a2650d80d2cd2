#pragma once
/// Memory of the device and of the host: allocation, copies, fills, and new and delete in kernels. Copies and fills
/// are queued like launches and follow CUDA's rules of synchronisation.

#include <cstddef>
#include <cstdint>
#include <new>

#include "builtins.h"
#include "driver_types.h"

/// Memory of two and three dimensions, whose rows begin at multiples of a pitch.
struct cudaExtent {
    std::size_t width, height, depth;  ///< the width in bytes
};
struct cudaPos {
    std::size_t x, y, z;  ///< x in bytes
};
struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch, xsize, ysize;
};
/// The parameters of cudaMemcpy3D. There are no arrays (textures) in the emulator.
struct cudaMemcpy3DParms {
    void* srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    void* dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
    return {x, y, z};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t width,
                                          std::size_t height) {
    return {pointer, pitch, width, height};
}

/// A variable of the device that the host may use, too.
#define __managed__

#pragma GCC visibility push(default)

namespace attn::emulator {

/// The implementations. `place` is the location of the call, which callers leave to the default argument.
cudaError_t allocate(void** pointer, std::size_t size, Place place);
cudaError_t allocate_on_stream(void** pointer, std::size_t size, cudaStream_t stream, Place place);
cudaError_t allocate_on_host(void** pointer, std::size_t size);
cudaError_t copy_to_symbol(void* symbol, std::size_t symbol_size, const void* source, std::size_t size,
                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait,
                           Place place);
cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_size, std::size_t size,
                             std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait,
                             Place place);
cudaError_t allocate_managed(void** pointer, std::size_t size, Place place);
cudaError_t allocate_mapped(void** pointer, std::size_t size, Place place);
cudaError_t device_pointer(void** device, void* host, Place place);
/// Allocates rows; `pitch` receives the distance between their beginnings.
cudaError_t allocate_rows(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows,
                          Place place);

/// Memory of the device's heap in a kernel, of the C library's on the host; null if there is none left. `pc`:
/// the place of the call.
void* allocate_here(std::size_t size, std::uintptr_t pc);
void free_here(void* pointer, std::uintptr_t pc);

/// True while a kernel runs, that is, in device code.
bool in_kernel();

}  // namespace attn::emulator

cudaError_t cudaFree(void* pointer, ATTN_CALLED_AT);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, ATTN_CALLED_AT);
cudaError_t cudaFreeHost(void* pointer, ATTN_CALLED_AT);
cudaError_t cudaMemset(void* pointer, int value, std::size_t size, ATTN_CALLED_AT);
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t size, cudaStream_t stream = nullptr,
                            ATTN_CALLED_AT);
cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                       ATTN_CALLED_AT);
cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr, ATTN_CALLED_AT);
cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                         ATTN_CALLED_AT);
cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr, ATTN_CALLED_AT);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t keep);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, ATTN_CALLED_AT);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters, ATTN_CALLED_AT);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr,
                              ATTN_CALLED_AT);
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                         ATTN_CALLED_AT);
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr, ATTN_CALLED_AT);
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent, ATTN_CALLED_AT);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

#pragma GCC visibility pop

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t size, ATTN_CALLED_AT) {
    return attn::emulator::allocate(reinterpret_cast<void**>(pointer), size, place);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t size, cudaStream_t stream, ATTN_CALLED_AT) {
    return attn::emulator::allocate_on_stream(reinterpret_cast<void**>(pointer), size, stream, place);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* source, std::size_t size, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice, ATTN_CALLED_AT) {
    return attn::emulator::copy_to_symbol(const_cast<void*>(static_cast<const void*>(&symbol)), sizeof(T),
                                          source, size, offset, kind, nullptr, true, place);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* source, std::size_t size, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr, ATTN_CALLED_AT) {
    return attn::emulator::copy_to_symbol(const_cast<void*>(static_cast<const void*>(&symbol)), sizeof(T),
                                          source, size, offset, kind, stream, false, place);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, std::size_t size, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost, ATTN_CALLED_AT) {
    return attn::emulator::copy_from_symbol(destination, &symbol, sizeof(T), size, offset, kind, nullptr,
                                            true, place);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, std::size_t size,
                                      std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                      ATTN_CALLED_AT) {
    return attn::emulator::copy_from_symbol(destination, &symbol, sizeof(T), size, offset, kind, stream,
                                            false, place);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    *pointer = const_cast<void*>(static_cast<const void*>(&symbol));
    return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* size, const T&) {
    *size = sizeof(T);
    return cudaSuccess;
}

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            ATTN_CALLED_AT) {
    return attn::emulator::allocate_rows(reinterpret_cast<void**>(pointer), pitch, width, height, place);
}

template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t size, unsigned = cudaMemAttachGlobal, ATTN_CALLED_AT) {
    return attn::emulator::allocate_managed(reinterpret_cast<void**>(pointer), size, place);
}

template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t size, unsigned = 0) {
    return attn::emulator::allocate_on_host(reinterpret_cast<void**>(pointer), size);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t size, unsigned flags, ATTN_CALLED_AT) {
    if ((flags & cudaHostAllocMapped) != 0)
        return attn::emulator::allocate_mapped(reinterpret_cast<void**>(pointer), size, place);
    return attn::emulator::allocate_on_host(reinterpret_cast<void**>(pointer), size);
}
/// The device's address of mapped memory, which is the host's address.
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned, ATTN_CALLED_AT) {
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

// new and delete, whose memory is the device's heap in a kernel. (malloc and free: checked_bytes.h.)
#if defined(ATTN_EMULATOR)
// Weak and hidden: each module has one definition of its own, which other modules do not see. g++ ignores the
// attribute for hidden symbols here.
__asm__(".hidden _Znwm, _Znam, _ZdlPv, _ZdaPv, _ZdlPvm, _ZdaPvm");
#define ATTN_EMULATOR_OPERATOR __attribute__((weak, noinline, no_sanitize("thread")))
#define ATTN_EMULATOR_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

ATTN_EMULATOR_OPERATOR void* operator new(std::size_t size) {
    void* const memory = attn::emulator::allocate_here(size == 0 ? 1 : size, ATTN_EMULATOR_PC);
    if (memory == nullptr && !attn::emulator::in_kernel()) throw std::bad_alloc();
    return memory;
}
ATTN_EMULATOR_OPERATOR void* operator new[](std::size_t size) {
    void* const memory = attn::emulator::allocate_here(size == 0 ? 1 : size, ATTN_EMULATOR_PC);
    if (memory == nullptr && !attn::emulator::in_kernel()) throw std::bad_alloc();
    return memory;
}
ATTN_EMULATOR_OPERATOR void operator delete(void* memory) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}
ATTN_EMULATOR_OPERATOR void operator delete[](void* memory) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}
ATTN_EMULATOR_OPERATOR void operator delete(void* memory, std::size_t) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}
ATTN_EMULATOR_OPERATOR void operator delete[](void* memory, std::size_t) noexcept {
    attn::emulator::free_here(memory, ATTN_EMULATOR_PC);
}

#undef ATTN_EMULATOR_OPERATOR
#undef ATTN_EMULATOR_PC
#endif
