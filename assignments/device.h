#pragma once
/// Helpers for .cu files: exceptions for CUDA's errors, device memory that is freed automatically, the number
/// of blocks of a launch, and which element a thread owns.
///
///     DeviceBuffer<float> scores(stream, N, N);                     // N * N floats on the device
///     const TensorView<float, 2> E = scores.view(N, N);             // the argument of a kernel
///     fill<<<blocks_for(E.count(), 256), 256, 0, stream>>>(E);
///     check(cudaGetLastError(), "fill");                            // did the launch start?
///
/// Rules for every function of the contracts NAME_cuda.h:
///   - NAME.h describes it. Its views are views of device memory: host code may read their shapes, but no
///     element
///   - its work is queued on `stream` only, which does not wait for the default stream. The caller waits for
///     the stream before it reads the outputs
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

/// Device memory for a temporary array, freed by the destructor. A launch returns before its kernel has run,
/// so memory must not be freed at once. There are two ways:
///   DeviceBuffer<float> E(stream, N, N)   both the allocation and the release are queued on the stream, and
///                                         the release comes after all kernels that were launched before it
///   DeviceBuffer<float> E(N, N)           the destructor frees the memory at once, so the function must call
///                                         cudaStreamSynchronize before it returns
template <class T>
class DeviceBuffer {
  public:
    /// Memory for `sizes[0] * sizes[1] * ..` elements, not initialised. It has at least one element, so that
    /// data() is never null.
    template <class... Sizes>
    explicit DeviceBuffer(Sizes... sizes) : count_((static_cast<std::size_t>(sizes) * ...)) {
        check(cudaMalloc(&data_, (count_ > 0 ? count_ : 1) * sizeof(T)), "cudaMalloc");
    }
    /// The same for work on `stream` only.
    template <class... Sizes>
    explicit DeviceBuffer(cudaStream_t stream, Sizes... sizes)
        : count_((static_cast<std::size_t>(sizes) * ...)), on_stream_(true), stream_(stream) {
        check(cudaMallocAsync(&data_, (count_ > 0 ? count_ : 1) * sizeof(T), stream), "cudaMallocAsync");
    }
    // A destructor must not throw, and an error of cudaFree comes from an earlier call.
    ~DeviceBuffer() { static_cast<void>(on_stream_ ? cudaFreeAsync(data_, stream_) : cudaFree(data_)); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    /// A pointer for device code. The host cannot read this memory.
    T* data() const { return static_cast<T*>(data_); }

    /// The number of bytes, for cudaMemcpy and cudaMemset.
    std::size_t bytes() const { return count_ * sizeof(T); }

    /// The memory as an array of this shape. Throws std::length_error if it is too small.
    template <class... Sizes>
    TensorView<T, sizeof...(Sizes)> view(Sizes... sizes) const {
        if ((static_cast<std::size_t>(sizes) * ...) > count_)
            throw std::length_error("DeviceBuffer: a view of more elements than there are");
        return {data(), sizes...};
    }

  private:
    std::size_t count_ = 0;
    void* data_ = nullptr;
    bool on_stream_ = false;
    cudaStream_t stream_ = nullptr;
};

/// The number of blocks of `threads` threads so that each of `count` elements has a thread. At least 1,
/// because CUDA does not start an empty grid. The last block may have more threads than elements, so kernels
/// must check their index.
inline unsigned int blocks_for(std::ptrdiff_t count, int threads) {
    return count <= 0 ? 1u : static_cast<unsigned int>((count + threads - 1) / threads);
}

#if defined(__CUDACC__) || defined(ATTN_EMULATOR)
/// The number of this thread in its grid, counted through all blocks. Only for grids and blocks of one axis.
__device__ inline std::ptrdiff_t thread_number() {
    return blockIdx.x * std::ptrdiff_t{blockDim.x} + threadIdx.x;
}

/// The indices of element n of an array, counted in the order of memory, for a kernel in which each thread
/// owns an element:
///
///     const std::ptrdiff_t n = thread_number();
///     if (n >= Y.count()) return;
///     const auto [b, i, d] = index_in(Y, n);
///
/// Neighbouring threads then share b and i, and have neighbouring d. The 32 threads of a warp read or write
/// Y(b, i, d) at 32 addresses in a row, which a GPU fetches in one go (coalescing).
struct Index2 {
    int i, j;
};
struct Index3 {
    int b, i, j;
};
struct Index4 {
    int b, h, i, j;
};
template <class T>
__device__ Index2 index_in(TensorView<T, 2> X, std::ptrdiff_t n) {
    return {static_cast<int>(n / X.size(1)), static_cast<int>(n % X.size(1))};
}
template <class T>
__device__ Index3 index_in(TensorView<T, 3> X, std::ptrdiff_t n) {
    const std::ptrdiff_t row = n / X.size(2);
    return {static_cast<int>(row / X.size(1)), static_cast<int>(row % X.size(1)),
            static_cast<int>(n % X.size(2))};
}
template <class T>
__device__ Index4 index_in(TensorView<T, 4> X, std::ptrdiff_t n) {
    const std::ptrdiff_t row = n / X.size(3), plane = row / X.size(2);
    return {static_cast<int>(plane / X.size(1)), static_cast<int>(plane % X.size(1)),
            static_cast<int>(row % X.size(2)), static_cast<int>(n % X.size(3))};
}
#endif

}  // namespace attn::cuda
