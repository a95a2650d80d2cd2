// Races between blocks: only atomics, fences and the end of the launch order them.

#include "../corpus.h"

using namespace corpus;

namespace sum_of_two_blocks {
__global__ void sum(const float* x, float* y) {
    if (threadIdx.x == 0) *y += x[blockIdx.x];  // finds: race_between_blocks
}
bool run() {
    OnDevice<float> x(numbers(2)), y(1, 0.0f);
    sum<<<2, 32>>>(x, y);
    return true;
}
}  // namespace sum_of_two_blocks

namespace every_block_does_all {
__global__ void twice(float* x, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] *= 2;  // finds: race_between_blocks
}
bool run() {
    OnDevice<float> x(numbers(256));
    twice<<<4, 64>>>(x, 256);
    return true;
}
}  // namespace every_block_does_all

namespace one_place_for_all_blocks {
__global__ void sums(const float* x, float* y) {
    float sum = x[blockIdx.x * 32 + threadIdx.x];
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffffu, sum, k);
    if (threadIdx.x == 0) y[0] = sum;  // finds: race_between_blocks
}
bool run() {
    OnDevice<float> x(numbers(128)), y(4);
    sums<<<4, 32>>>(x, y);
    return true;
}
}  // namespace one_place_for_all_blocks

namespace halo_in_place {
__global__ void shift(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float right = i + 1 < n ? x[i + 1] : 0.0f;  // finds: race_between_blocks
    __syncthreads();
    if (i < n) x[i] = right;  // finds: race_between_blocks
}
bool run() {
    OnDevice<float> x(numbers(128));
    shift<<<4, 32>>>(x, 128);
    return true;
}
}  // namespace halo_in_place

namespace sum_of_unfinished_blocks {
// Block 0 reads values that the others may not have written yet: __syncthreads() waits for no other block.
__global__ void sum(const float* x, float* parts, float* y) {
    if (threadIdx.x == 0) parts[blockIdx.x] = x[blockIdx.x];  // finds: race_between_blocks
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        float total = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) total += parts[b];  // finds: race_between_blocks
        *y = total;
    }
}
bool run() {
    OnDevice<float> x(numbers(4)), parts(4, 0.0f), y(1);
    sum<<<4, 32>>>(x, parts, y);
    return true;
}
}  // namespace sum_of_unfinished_blocks

namespace last_block_without_a_fence {
__device__ unsigned finished = 0;
__global__ void sum(const float* x, float* parts, float* y) {
    if (threadIdx.x != 0) return;
    parts[blockIdx.x] = x[blockIdx.x];  // finds: race_between_blocks
    if (atomicAdd(&finished, 1u) != gridDim.x - 1) return;
    float total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += parts[b];  // finds: race_between_blocks
    *y = total;
}
bool run() {
    OnDevice<float> x(numbers(4)), parts(4), y(1);
    const unsigned none = 0;
    cudaMemcpyToSymbol(finished, &none, sizeof none);
    sum<<<4, 32>>>(x, parts, y);
    return true;
}
}  // namespace last_block_without_a_fence

namespace last_block_without_a_fence_reads_its_own_sum {
// The last block has added to the sum itself, too.
__device__ unsigned added = 0;
__global__ void sum(const float* x, float* total, float* y) {
    if (threadIdx.x != 0) return;
    atomicAdd(total, x[blockIdx.x]);  // finds: race_between_blocks
    if (atomicAdd(&added, 1u) != gridDim.x - 1) return;
    added = 0;
    *y = *total;  // finds: race_between_blocks
}
bool run() {
    OnDevice<float> x(numbers(4)), total(1, 0.0f), y(1);
    const unsigned none = 0;
    cudaMemcpyToSymbol(added, &none, sizeof none);
    sum<<<4, 32>>>(x, total, y);
    return true;
}
}  // namespace last_block_without_a_fence_reads_its_own_sum

namespace counter_without_atomics {
__device__ int counter = 0;
__global__ void count() {
    if (threadIdx.x == 0) counter = counter + 1;  // finds: race_between_blocks
}
bool run() {
    const int none = 0;
    cudaMemcpyToSymbol(counter, &none, sizeof none);
    count<<<8, 32>>>();
    return true;
}
}  // namespace counter_without_atomics

namespace atomic_and_plain {
// The additions are atomic, but the block that clears the sum need not run first.
__global__ void sum(const float* x, float* y) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) *y = 0;  // finds: race_between_blocks
        return;
    }
    atomicAdd(y, x[blockIdx.x * 32 + threadIdx.x]);  // finds: race_between_blocks
}
bool run() {
    OnDevice<float> x(numbers(64)), y(1, 5.0f);
    sum<<<2, 32>>>(x, y);
    return true;
}
}  // namespace atomic_and_plain

int main(int argc, char** argv) {
    return run(
        argc, argv,
        {{"sum_of_two_blocks", sum_of_two_blocks::run},
         {"every_block_does_all", every_block_does_all::run},
         {"one_place_for_all_blocks", one_place_for_all_blocks::run},
         {"halo_in_place", halo_in_place::run},
         {"sum_of_unfinished_blocks", sum_of_unfinished_blocks::run},
         {"last_block_without_a_fence", last_block_without_a_fence::run},
         {"last_block_without_a_fence_reads_its_own_sum", last_block_without_a_fence_reads_its_own_sum::run},
         {"counter_without_atomics", counter_without_atomics::run},
         {"atomic_and_plain", atomic_and_plain::run}});
}
