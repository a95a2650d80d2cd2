// Functions of rows and of single numbers. Their speed is that of memory, so each number is read from the device's
// memory once: a block keeps its row in registers, eight numbers in each thread, as far as they suffice. Longer rows
// are read again, mostly from a cache.

#include <cstddef>

#include "device.h"
#include "rows.h"

namespace attn::cuda::fast {
namespace {

constexpr int kRowThreads = 256, kKept = 8, kWarpsOfRow = kRowThreads / 32;
constexpr float kTanhScale = 0.79788456f, kCubic = 0.044715f;

/// A row of D numbers, of which this thread has d = t, t + 256, ..
struct RowOfBlock {
    const float* row;
    int D;
    float kept[kKept];

    __device__ RowOfBlock(const float* row_, int D_) : row(row_), D(D_) {
#pragma unroll
        for (int k = 0; k < kKept; ++k) {
            const int d = static_cast<int>(threadIdx.x) + k * kRowThreads;
            kept[k] = d < D ? row[d] : 0.0f;
        }
    }
    /// Calls f(d, x_d) for each number of this thread.
    template <class F>
    __device__ void each(F f) const {
#pragma unroll
        for (int k = 0; k < kKept; ++k) {
            const int d = static_cast<int>(threadIdx.x) + k * kRowThreads;
            if (d < D) f(d, kept[k]);
        }
        for (int d = static_cast<int>(threadIdx.x) + kKept * kRowThreads; d < D; d += kRowThreads)
            f(d, row[d]);
    }
};

struct Sum {
    __device__ float operator()(float a, float b) const { return a + b; }
};
struct Maximum {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// Combines x of all threads of the block. All of them have to call this, and all get the result.
template <class Combine>
__device__ float over_block(float x, Combine combine) {
    __shared__ float of_warps[kWarpsOfRow];
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    for (int other = 16; other > 0; other /= 2) x = combine(x, __shfl_xor_sync(0xffffffffu, x, other));
    if (lane == 0) of_warps[warp] = x;
    __syncthreads();  // every warp's result is there
    x = of_warps[0];
    for (int k = 1; k < kWarpsOfRow; ++k) x = combine(x, of_warps[k]);
    __syncthreads();  // before the next call overwrites them
    return x;
}

__global__ void __launch_bounds__(kRowThreads)
    normalise_row(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                  TensorView<const float, 1> beta, float eps) {
    const int i = static_cast<int>(blockIdx.x), D = X.size(1);
    if (i >= X.size(0)) return;  // all threads of the block, or none
    const RowOfBlock x(X.data() + i * std::ptrdiff_t{D}, D);
    float sum = 0, squares = 0;
    x.each([&](int, float x_d) { sum += x_d; });
    const float mu = over_block(sum, Sum()) / static_cast<float>(D);
    x.each([&](int, float x_d) { squares += (x_d - mu) * (x_d - mu); });
    const float var = over_block(squares, Sum()) / static_cast<float>(D), scale = 1 / sqrtf(var + eps);
    x.each([&](int d, float x_d) { Y(i, d) = gamma(d) * ((x_d - mu) * scale) + beta(d); });
}

__global__ void __launch_bounds__(kRowThreads)
    softmax_of_row(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    const int i = static_cast<int>(blockIdx.x), D = X.size(1);
    if (i >= X.size(0)) return;  // all threads of the block, or none
    const RowOfBlock x(X.data() + i * std::ptrdiff_t{D}, D);
    float m = -INFINITY, sum = 0;
    x.each([&](int, float x_d) { m = fmaxf(m, x_d); });
    m = over_block(m, Maximum());
    x.each([&](int, float x_d) { sum += expf(x_d - m); });
    sum = over_block(sum, Sum());
    x.each([&](int d, float x_d) { Y(i, d) = expf(x_d - m) / sum; });
}

__global__ void __launch_bounds__(kRowThreads)
    gelu_of_numbers(float* y, const float* x, std::ptrdiff_t count) {
    const std::ptrdiff_t stride = std::ptrdiff_t{gridDim.x} * blockDim.x;
    for (std::ptrdiff_t n = thread_number(); n < count; n += stride) {
        const float x_n = x[n];
        y[n] = 0.5f * x_n * (1 + tanhf(kTanhScale * (x_n + kCubic * x_n * x_n * x_n)));
    }
}

}  // namespace

void layer_norm_rows(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                     TensorView<const float, 1> beta, float eps, cudaStream_t stream) {
    normalise_row<<<blocks_for(X.size(0), 1), kRowThreads, 0, stream>>>(Y, X, gamma, beta, eps);
    check(cudaGetLastError(), "normalise_row");
}

void softmax_rows(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream) {
    softmax_of_row<<<blocks_for(X.size(0), 1), kRowThreads, 0, stream>>>(Y, X);
    check(cudaGetLastError(), "softmax_of_row");
}

void gelu(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream) {
    constexpr int kNumbersOfThread = 4;
    gelu_of_numbers<<<blocks_for(X.count(), kRowThreads * kNumbersOfThread), kRowThreads, 0, stream>>>(
        Y.data(), X.data(), X.count());
    check(cudaGetLastError(), "gelu_of_numbers");
}

}  // namespace attn::cuda::fast
