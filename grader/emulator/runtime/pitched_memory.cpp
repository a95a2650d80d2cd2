#include "pitched_memory.h"

#include "copies.h"
#include "cuda_errors.h"

namespace attn::emulator {
namespace {

constexpr std::size_t kPitch = 512;  // rows begin at multiples of it, as on common GPUs

void* at(const cudaPitchedPtr& pointer, const cudaPos& position, std::size_t slice) {
    return static_cast<char*>(pointer.ptr) + position.x +
           pointer.pitch * (position.y + pointer.ysize * (position.z + slice));
}

cudaError_t copy_slices(const char* function, const cudaMemcpy3DParms& what, cudaStream_t stream, bool wait,
                        const Place& place) {
    if (what.srcArray != nullptr || what.dstArray != nullptr) return record_error(cudaErrorNotSupported);
    for (std::size_t slice = 0; slice < what.extent.depth; ++slice) {
        const cudaError_t error =
            queue_copy({function, at(what.dstPtr, what.dstPos, slice), what.dstPtr.pitch,
                        at(what.srcPtr, what.srcPos, slice), what.srcPtr.pitch, what.extent.width,
                        what.extent.height, what.kind, stream, place},
                       wait);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace

cudaError_t allocate_rows(void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows,
                          Place place) {
    if (pitch == nullptr) return record_error(cudaErrorInvalidValue);
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    return allocate(pointer, *pitch * rows, place);
}

}  // namespace attn::emulator

using namespace attn::emulator;

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, Place place) {
    if (pointer == nullptr) return record_error(cudaErrorInvalidValue);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return allocate_rows(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth, place);
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
        if (const cudaError_t error = cudaMemset2D(at(pointer, {}, slice), pointer.pitch, value, extent.width,
                                                   extent.height, place);
            error != cudaSuccess)
            return error;
    return cudaSuccess;
}
