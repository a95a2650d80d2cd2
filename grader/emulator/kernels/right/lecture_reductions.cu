// The sum of a vector in six steps, as lectures on optimisation teach it, and the ways beyond them.

#include <cooperative_groups.h>

#include "../corpus.h"

using namespace corpus;
namespace cg = cooperative_groups;

constexpr int kThreads = 128;

/// Sums 1000 numbers: `kernel` writes one number for each block, and the host adds them.
using Kernel = void (*)(const float*, float*, int);
bool is_right(Kernel kernel, int blocks) {
    const auto a = numbers(1000);
    OnDevice<float> x(a), y(blocks);
    kernel<<<blocks, kThreads, kThreads * sizeof(float)>>>(x, y, 1000);
    double got = 0, total = 0;
    for (const float part : y.values()) got += part;
    for (const float v : a) total += v;
    return near(std::vector<double>{got}, std::vector<double>{total}, 1e-4);
}

namespace step_1_interleaved {
__global__ void sum(const float* x, float* y, int n) {
    extern __shared__ float data[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    data[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = data[0];
}
bool run() {
    return is_right(sum, 8);
}
}  // namespace step_1_interleaved

namespace step_2_without_divergence {
__global__ void sum(const float* x, float* y, int n) {
    extern __shared__ float data[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    data[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        const unsigned place = 2 * s * t;
        if (place < blockDim.x) data[place] += data[place + s];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = data[0];
}
bool run() {
    return is_right(sum, 8);
}
}  // namespace step_2_without_divergence

namespace step_3_without_bank_conflicts {
__global__ void sum(const float* x, float* y, int n) {
    extern __shared__ float data[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    data[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = data[0];
}
bool run() {
    return is_right(sum, 8);
}
}  // namespace step_3_without_bank_conflicts

namespace step_4_first_addition_while_loading {
__global__ void sum(const float* x, float* y, int n) {
    extern __shared__ float data[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    float mine = i < n ? x[i] : 0;
    if (i + blockDim.x < n) mine += x[i + blockDim.x];
    data[t] = mine;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) data[t] = mine = mine + data[t + s];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = mine;
}
bool run() {
    return is_right(sum, 4);
}
}  // namespace step_4_first_addition_while_loading

namespace step_5_last_warp_unrolled {
__device__ void sum_of_warp(volatile float* data, unsigned t) {
    float v = data[t];
    v += data[t + 32], __syncwarp(), data[t] = v, __syncwarp();
    v += data[t + 16], __syncwarp(), data[t] = v, __syncwarp();
    v += data[t + 8], __syncwarp(), data[t] = v, __syncwarp();
    v += data[t + 4], __syncwarp(), data[t] = v, __syncwarp();
    v += data[t + 2], __syncwarp(), data[t] = v, __syncwarp();
    v += data[t + 1], __syncwarp(), data[t] = v;
}
__global__ void sum(const float* x, float* y, int n) {
    extern __shared__ float data[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    data[t] = (i < n ? x[i] : 0) + (i + blockDim.x < n ? x[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (t < s) data[t] += data[t + s];
        __syncthreads();
    }
    if (t < 32) sum_of_warp(data, t);
    if (t == 0) y[blockIdx.x] = data[0];
}
bool run() {
    return is_right(sum, 4);
}
}  // namespace step_5_last_warp_unrolled

namespace step_6_many_elements_for_each_thread {
template <unsigned kBlock>
__global__ void sum(const float* x, float* y, int n) {
    extern __shared__ float data[];
    const unsigned t = threadIdx.x;
    float mine = 0;
    for (unsigned i = blockIdx.x * kBlock * 2 + t; i < n; i += kBlock * 2 * gridDim.x)
        mine += x[i] + (i + kBlock < n ? x[i + kBlock] : 0);
    data[t] = mine;
    __syncthreads();
    if (kBlock >= 512 && t < 256) data[t] += data[t + 256];
    if (kBlock >= 512) __syncthreads();
    if (kBlock >= 256 && t < 128) data[t] += data[t + 128];
    if (kBlock >= 256) __syncthreads();
    if (kBlock >= 128 && t < 64) data[t] += data[t + 64];
    if (kBlock >= 128) __syncthreads();
    if (t >= 32) return;
    float v = data[t] + data[t + 32];
#pragma unroll
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
    if (t == 0) y[blockIdx.x] = v;
}
bool run() {
    return is_right(sum<kThreads>, 2);
}
}  // namespace step_6_many_elements_for_each_thread

namespace one_atomic_for_each_block {
__inline__ __device__ float sum_of_warp(float v) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, offset);
    return v;
}
__inline__ __device__ float sum_of_block(float v) {
    static __shared__ float parts[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    v = sum_of_warp(v);
    if (lane == 0) parts[warp] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / warpSize ? parts[lane] : 0;
    if (warp == 0) v = sum_of_warp(v);
    return v;
}
__global__ void sum(const float* x, float* y, int n) {
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += x[i];
    v = sum_of_block(v);
    if (threadIdx.x == 0) atomicAdd(y, v);
}
bool run() {
    const auto a = numbers(1000);
    OnDevice<float> x(a), y(1, 0.0f);
    sum<<<3, 96>>>(x, y, 1000);
    double total = 0;
    for (const float v : a) total += v;
    return near(y.values(), wanted(1, [&](int) { return total; }), 1e-4);
}
}  // namespace one_atomic_for_each_block

namespace sum_in_the_last_block {
// All threads of the block that ends last add up the other blocks' sums.
__device__ unsigned blocks_done = 0;
__device__ float sum_of_block(float v) {
    __shared__ float data[kThreads];
    const int t = threadIdx.x;
    data[t] = v;
    for (int s = kThreads / 2; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) data[t] += data[t + s];
    }
    __syncthreads();
    const float sum = data[0];
    __syncthreads();
    return sum;
}
__global__ void sum(const float* x, volatile float* parts, float* y, int n) {
    __shared__ bool is_last;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float part = sum_of_block(i < n ? x[i] : 0);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = part;
        __threadfence();
        is_last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    float v = 0;
    for (int b = threadIdx.x; b < gridDim.x; b += blockDim.x) v += parts[b];
    v = sum_of_block(v);
    if (threadIdx.x != 0) return;
    *y = v;
    blocks_done = 0;
}
bool run() {
    const auto a = numbers(1000);
    OnDevice<float> x(a), parts(8), y(1);
    double total = 0;
    for (const float v : a) total += v;
    for (int again = 0; again < 2; ++again) {
        sum<<<8, kThreads>>>(x, parts, y, 1000);
        if (!near(y.values(), wanted(1, [&](int) { return total; }), 1e-4)) return false;
    }
    return true;
}
}  // namespace sum_in_the_last_block

namespace place_of_the_largest {
// Value and place are packed into one 64-bit number, so that one atomicMax keeps both.
__global__ void largest(const float* x, unsigned long long* best, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long mine = 0;
    if (i < n) {
        const unsigned bits = __float_as_uint(x[i]);
        const unsigned ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        mine = (unsigned long long)ordered << 32 | (unsigned)i;
    }
    for (int k = 16; k > 0; k >>= 1) {
        const unsigned long long other = __shfl_xor_sync(~0u, mine, k);
        if (other > mine) mine = other;
    }
    if ((threadIdx.x & 31) == 0) atomicMax(best, mine);
}
bool run() {
    const auto a = numbers(777);
    OnDevice<float> x(a);
    OnDevice<unsigned long long> best(1, 0ull);
    largest<<<blocks_for(777, kThreads), kThreads>>>(x, best, 777);
    int place = 0;
    for (int i = 1; i < 777; ++i)
        if (a[i] > a[place]) place = i;
    return (best.values()[0] & 0xffffffff) == static_cast<unsigned>(place);
}
}  // namespace place_of_the_largest

namespace sum_by_groups {
template <class Group>
__device__ float sum_of(const Group& group, float v) {
    for (int k = group.size() / 2; k > 0; k /= 2) v += group.shfl_down(v, k);
    return v;
}
__global__ void sum(const float* x, float* y, int n) {
    __shared__ float parts[kThreads / 32];
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    float v = 0;
    for (unsigned i = block.group_index().x * block.size() + block.thread_rank(); i < n;
         i += gridDim.x * block.size())
        v += x[i];
    v = sum_of(warp, v);
    if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = v;
    cg::sync(block);
    if (warp.meta_group_rank() != 0) return;
    v = warp.thread_rank() < warp.meta_group_size() ? parts[warp.thread_rank()] : 0;
    v = sum_of(warp, v);
    if (block.thread_rank() == 0) y[blockIdx.x] = v;
}
bool run() {
    return is_right(sum, 3);
}
}  // namespace sum_by_groups

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"step_1_interleaved", step_1_interleaved::run},
                {"step_2_without_divergence", step_2_without_divergence::run},
                {"step_3_without_bank_conflicts", step_3_without_bank_conflicts::run},
                {"step_4_first_addition_while_loading", step_4_first_addition_while_loading::run},
                {"step_5_last_warp_unrolled", step_5_last_warp_unrolled::run},
                {"step_6_many_elements_for_each_thread", step_6_many_elements_for_each_thread::run},
                {"one_atomic_for_each_block", one_atomic_for_each_block::run},
                {"sum_in_the_last_block", sum_in_the_last_block::run},
                {"place_of_the_largest", place_of_the_largest::run},
                {"sum_by_groups", sum_by_groups::run}});
}
