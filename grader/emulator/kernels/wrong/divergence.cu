// Barriers and shuffles that some threads never reach.

#include "../corpus.h"

using namespace corpus;

namespace barrier_in_a_branch {
__global__ void fill(float* y) {
    if (threadIdx.x < 40) {
        y[threadIdx.x] = 1.0f;
        __syncthreads();  // finds: divergent_barrier
    }
    y[threadIdx.x] += 1.0f;
    __syncthreads();  // finds: divergent_barrier
}
bool run() {
    OnDevice<float> y(64, 0.0f);
    fill<<<1, 64>>>(y);
    return true;
}
}  // namespace barrier_in_a_branch

namespace two_barriers {
__global__ void fill(float* y) {
    if (threadIdx.x < 32) {
        y[threadIdx.x] = 1.0f;
        __syncthreads();  // finds: divergent_barrier
    } else {
        y[threadIdx.x] = 2.0f;
        __syncthreads();  // finds: divergent_barrier
    }
}
bool run() {
    OnDevice<float> y(64);
    fill<<<1, 64>>>(y);
    return true;
}
}  // namespace two_barriers

namespace return_before_its_part {
// The threads that return have not written their elements, which the others read.
__global__ void backwards(const float* x, float* y, int n) {
    __shared__ float line[64];
    const int i = threadIdx.x;
    if (i >= n) return;
    line[i] = x[i];
    __syncthreads();
    y[i] = line[63 - i];  // finds: uninitialised_read
}
bool run() {
    OnDevice<float> x(numbers(50)), y(50);
    backwards<<<1, 64>>>(x, y, 50);
    return true;
}
}  // namespace return_before_its_part

namespace rounds_of_a_thread {
__global__ void work(float* y) {
    float v = 0;
    for (unsigned k = 0; k <= threadIdx.x / 32; ++k) {
        v += 1;
        __syncthreads();  // finds: divergent_barrier
    }
    __syncthreads();  // finds: divergent_barrier
    y[threadIdx.x] = v;
}
bool run() {
    OnDevice<float> y(64);
    work<<<1, 64>>>(y);
    return true;
}
}  // namespace rounds_of_a_thread

namespace ragged_stride_with_a_barrier {
// In the last round of the grid-stride loop some threads have no work and do not reach the barrier.
__global__ void copy(const float* x, float* y, int n) {
    __shared__ float line[32];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        line[threadIdx.x] = x[i];
        __syncthreads();  // finds: divergent_barrier
        y[i] = line[threadIdx.x];
    }
    __syncthreads();  // finds: divergent_barrier
    if (threadIdx.x == 0) y[0] += 1.0f;
}
bool run() {
    OnDevice<float> x(numbers(50)), y(50);
    copy<<<1, 32>>>(x, y, 50);
    return true;
}
}  // namespace ragged_stride_with_a_barrier

namespace absent_lanes {
__global__ void sum(float* y) {
    float v = static_cast<float>(threadIdx.x);
    if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffffu, v, 8);  // finds: absent_lane
    y[threadIdx.x] = v;
}
bool run() {
    OnDevice<float> y(32);
    sum<<<1, 32>>>(y);
    return true;
}
}  // namespace absent_lanes

namespace lanes_that_returned {
__global__ void sum(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffffu, v, k);  // finds: absent_lane
    if (i == 0) *y = v;
}
bool run() {
    OnDevice<float> x(numbers(20)), y(1);
    sum<<<1, 32>>>(x, y, 20);
    return true;
}
}  // namespace lanes_that_returned

namespace lane_outside_of_the_mask {
__global__ void read(float* y) {
    float v = static_cast<float>(threadIdx.x);
    if (threadIdx.x < 16) v += __shfl_sync(0x0000ffffu, v, 20);  // finds: absent_lane
    y[threadIdx.x] = v;
}
bool run() {
    OnDevice<float> y(32);
    read<<<1, 32>>>(y);
    return true;
}
}  // namespace lane_outside_of_the_mask

namespace not_in_its_own_mask {
__global__ void vote(unsigned* y) {
    y[threadIdx.x] = __ballot_sync(0x0000ffffu, threadIdx.x % 2);  // finds: absent_lane
}
bool run() {
    OnDevice<unsigned> y(32);
    vote<<<1, 32>>>(y);
    return true;
}
}  // namespace not_in_its_own_mask

namespace lanes_that_do_not_exist {
__global__ void sum(int* y) {
    int v = 1;
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k);  // finds: absent_lane
    if (threadIdx.x == 0) *y = v;
}
bool run() {
    OnDevice<int> y(1);
    sum<<<1, 24>>>(y);
    return true;
}
}  // namespace lanes_that_do_not_exist

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"barrier_in_a_branch", barrier_in_a_branch::run},
                {"two_barriers", two_barriers::run},
                {"return_before_its_part", return_before_its_part::run},
                {"rounds_of_a_thread", rounds_of_a_thread::run},
                {"ragged_stride_with_a_barrier", ragged_stride_with_a_barrier::run},
                {"absent_lanes", absent_lanes::run},
                {"lanes_that_returned", lanes_that_returned::run},
                {"lane_outside_of_the_mask", lane_outside_of_the_mask::run},
                {"not_in_its_own_mask", not_in_its_own_mask::run},
                {"lanes_that_do_not_exist", lanes_that_do_not_exist::run}});
}
