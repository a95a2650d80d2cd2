#pragma once
/// Helpers for the host code of .cu files: exceptions for CUDA's errors, device memory that is freed
/// automatically, and the number of blocks of a launch.
///
///     DeviceBuffer<float> scores(N, N);                             // N * N floats on the device
///     const TensorView<float, 2> E = scores.view(N, N);             // the argument of a kernel
///     fill<<<blocks_for(E.count(), 256), 256, 0, stream>>>(E);
///     check(cudaGetLastError(), "fill");                            // did the launch start?
///     check(cudaStreamSynchronize(stream), "fill");                 // did the kernel end without an error?
///
/// Rules for every function of the contracts NAME_cuda.h:
///   - NAME.h describes it. Its views are views of device memory: host code may read their shapes, but no
///     element
///   - its work is queued on `stream` only. The caller waits for the stream before it reads the outputs
///   - memory that it allocates must exist until its kernels have ended
///   - it throws the exceptions of NAME.h before it starts any work
/// This file is C++17 because nvcc requires that.

#include <cstddef>
#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

#include "tensor.h"

namespace attn::cuda {

/// A call of CUDA failed. The message has CUDA's description.
class DeviceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws DeviceError unless `status` is success. `call`: the name of the call, for the message. An error in
/// a kernel is reported by the first call that waits for it.
inline void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess) throw DeviceError(std::string(call) + ": " + cudaGetErrorString(status));
}

/// Device memory for a temporary array, freed by the destructor. A kernel may still run when its launch has
/// returned, and CUDA does not promise that cudaFree waits for it. So a function with buffers must call
/// cudaStreamSynchronize before it returns.
template <class T>
class DeviceBuffer {
  public:
    /// Memory for `sizes[0] * sizes[1] * ..` elements, not initialised. It has at least one element, so that
    /// data() is never null.
    template <class... Sizes>
    explicit DeviceBuffer(Sizes... sizes) : count_((static_cast<std::size_t>(sizes) * ...)) {
        void* memory = nullptr;
        check(cudaMalloc(&memory, (count_ > 0 ? count_ : 1) * sizeof(T)), "cudaMalloc");
        data_ = static_cast<T*>(memory);
    }
    // A destructor must not throw, and an error of cudaFree comes from an earlier call.
    ~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    /// A pointer for device code. The host cannot read this memory.
    T* data() const { return data_; }

    /// The number of bytes, for cudaMemcpy and cudaMemset.
    std::size_t bytes() const { return count_ * sizeof(T); }

    /// The memory as an array of this shape. Throws std::length_error if it is too small.
    template <class... Sizes>
    TensorView<T, sizeof...(Sizes)> view(Sizes... sizes) const {
        if ((static_cast<std::size_t>(sizes) * ...) > count_)
            throw std::length_error("DeviceBuffer: a view of more elements than there are");
        return {data_, sizes...};
    }

  private:
    std::size_t count_ = 0;
    T* data_ = nullptr;
};

/// The number of blocks of `threads` threads so that each of `count` elements has a thread. At least 1,
/// because CUDA does not start an empty grid. The last block may have more threads than elements, so kernels
/// must check their index.
inline unsigned int blocks_for(std::ptrdiff_t count, int threads) {
    return count <= 0 ? 1u : static_cast<unsigned int>((count + threads - 1) / threads);
}

}  // namespace attn::cuda
