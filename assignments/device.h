#pragma once
/// What a .cu file needs around its kernels: CUDA's errors as exceptions, memory of the device that frees
/// itself, and how many blocks to start.
///
///     DeviceBuffer<float> scores(N, N);                             // N * N floats on the device
///     const TensorView<float, 2> E = scores.view(N, N);             // what kernels are given
///     fill<<<blocks_for(E.count(), 256), 256, 0, stream>>>(E);
///     check(cudaGetLastError(), "fill");                            // was it started at all?
///     check(cudaStreamSynchronize(stream), "fill");                 // did it run to its end?
///
/// What holds for every function of the contracts NAME_cuda.h:
///   - all that NAME.h says of it, and views are of the device's memory: the host takes their shapes, no
///   element
///   - its work is queued on `stream`, and on no other; the caller waits before reading what comes out
///   - what it allocates for itself lives until its kernels have run
///   - what NAME.h says it throws is thrown before anything is started
/// C++17, as nvcc takes it.

#include <cstddef>
#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

#include "tensor.h"

namespace attn::cuda {

/// What CUDA said no to, in CUDA's words.
class DeviceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws DeviceError unless `status` is success; `call` names what was tried. A kernel's own mistakes show
/// in the first call that waits for it.
inline void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess) throw DeviceError(std::string(call) + ": " + cudaGetErrorString(status));
}

/// Memory of the device for a temporary, freed with its owner. A kernel is still queued when its launch
/// returns, and CUDA does not promise that cudaFree waits for it: a function with buffers of its own calls
/// cudaStreamSynchronize before it leaves.
template <class T>
class DeviceBuffer {
  public:
    /// SizeBudget for `sizes[0] * sizes[1] * ..` elements; what they hold is anybody's guess. Of nothing
    /// there is room for one, so that data() always points somewhere.
    template <class... Sizes>
    explicit DeviceBuffer(Sizes... sizes) : count_((static_cast<std::size_t>(sizes) * ...)) {
        void* memory = nullptr;
        check(cudaMalloc(&memory, (count_ > 0 ? count_ : 1) * sizeof(T)), "cudaMalloc");
        data_ = static_cast<T*>(memory);
    }
    // A destructor cannot throw, and what cudaFree reports is an earlier call's error.
    ~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    /// For the device alone: the host cannot read there.
    T* data() const { return data_; }

    /// How many bytes cudaMemcpy and cudaMemset may touch.
    std::size_t bytes() const { return count_ * sizeof(T); }

    /// The memory as an array of this shape. Throws std::length_error where it is too small for that.
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

/// Blocks of `threads` threads so that each of `count` elements has a thread. The last block may have threads
/// to spare, and even nothing to do takes one block, as CUDA starts no grid of none: kernels check their
/// index.
inline unsigned int blocks_for(std::ptrdiff_t count, int threads) {
    return count <= 0 ? 1u : static_cast<unsigned int>((count + threads - 1) / threads);
}

}  // namespace attn::cuda
