#pragma once
/// Device memory: allocation, copies, fills. Copies and fills are queued like launches and follow CUDA's
/// rules of synchronisation.

#include <cstddef>
#include <source_location>

#include "driver_types.h"

#pragma GCC visibility push(default)

namespace attn::emulator {

using Place = std::source_location;

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

}  // namespace attn::emulator

cudaError_t cudaFree(void* pointer, attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream,
                          attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaFreeHost(void* pointer, attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemset(void* pointer, int value, std::size_t size,
                       attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t size, cudaStream_t stream = nullptr,
                            attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemcpy(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                       attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemcpyAsync(void* destination, const void* source, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr,
                            attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemcpy2D(void* destination, std::size_t destination_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                         attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemcpy2DAsync(void* destination, std::size_t destination_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                              attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t keep);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

#pragma GCC visibility pop

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t size,
                       attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::allocate(reinterpret_cast<void**>(pointer), size, place);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t size, cudaStream_t stream,
                            attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::allocate_on_stream(reinterpret_cast<void**>(pointer), size, stream, place);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* source, std::size_t size, std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::copy_to_symbol(const_cast<void*>(static_cast<const void*>(&symbol)), sizeof(T),
                                          source, size, offset, kind, nullptr, true, place);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* source, std::size_t size, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                    attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::copy_to_symbol(const_cast<void*>(static_cast<const void*>(&symbol)), sizeof(T),
                                          source, size, offset, kind, stream, false, place);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, std::size_t size, std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::copy_from_symbol(destination, &symbol, sizeof(T), size, offset, kind, nullptr,
                                            true, place);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, std::size_t size,
                                      std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                      attn::emulator::Place place = attn::emulator::Place::current()) {
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
