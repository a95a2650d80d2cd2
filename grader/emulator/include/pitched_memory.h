#pragma once
/// Memory of two and three dimensions, whose rows begin at multiples of a pitch.

#include <cstddef>

#include "driver_types.h"
#include "memory_api.h"

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

#pragma GCC visibility push(default)

namespace attn::emulator {

/// Allocates rows; `pitch` receives the distance between their beginnings.
cudaError_t allocate_rows(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows,
                          Place place);

}  // namespace attn::emulator

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent,
                         attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters,
                         attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr,
                              attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                         attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr,
                              attn::emulator::Place place = attn::emulator::Place::current());
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent,
                         attn::emulator::Place place = attn::emulator::Place::current());

#pragma GCC visibility pop

template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height,
                            attn::emulator::Place place = attn::emulator::Place::current()) {
    return attn::emulator::allocate_rows(reinterpret_cast<void**>(pointer), pitch, width, height, place);
}
