// Races between threads of one block: a barrier is missing or in the wrong place.

#include "../corpus.h"

using namespace corpus;

namespace no_barrier {
template <int kSize>
__global__ void backwards(const float* x, float* y) {
    __shared__ float line[kSize];
    line[threadIdx.x] = x[threadIdx.x];              // finds: race_in_block
    y[threadIdx.x] = line[kSize - 1 - threadIdx.x];  // finds: race_in_block
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    backwards<64><<<1, 64>>>(x, y);
    return true;
}
}  // namespace no_barrier

namespace no_second_barrier {
__global__ void matmul(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[8][8], tile_b[8][8];
    const int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (int first = 0; first < n; first += 8) {
        tile_a[row][column] = a[row * n + first + column];    // finds: race_in_block
        tile_b[row][column] = b[(first + row) * 8 + column];  // finds: race_in_block
        __syncthreads();
        for (int k = 0; k < 8; ++k) sum += tile_a[row][k] * tile_b[k][column];  // finds: race_in_block
    }
    c[row * 8 + column] = sum;
}
bool run() {
    OnDevice<float> a(numbers(8 * 32)), b(numbers(32 * 8)), c(64);
    matmul<<<1, dim3(8, 8)>>>(a, b, c, 32);
    return true;
}
}  // namespace no_second_barrier

namespace barrier_behind_the_loop {
__global__ void sum(const float* x, float* y) {
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2)
        if (t < half) part[t] += part[t + half];  // finds: race_in_block
    __syncthreads();
    if (t == 0) *y = part[0];
}
bool run() {
    OnDevice<float> x(numbers(64)), y(1);
    sum<<<1, 64>>>(x, y);
    return true;
}
}  // namespace barrier_behind_the_loop

namespace sum_in_one_place {
__global__ void sum(const float* x, float* y) {
    *y += x[threadIdx.x];  // finds: race_in_block
}
bool run() {
    OnDevice<float> x(numbers(64)), y(1, 0.0f);
    sum<<<1, 64>>>(x, y);
    return true;
}
}  // namespace sum_in_one_place

namespace histogram_without_atomics {
__global__ void count(const int* x, int* y) {
    __shared__ int bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0;
    __syncthreads();
    bins[x[threadIdx.x]]++;  // finds: race_in_block
    __syncthreads();
    if (threadIdx.x < 8) y[threadIdx.x] = bins[threadIdx.x];
}
bool run() {
    std::vector<int> a(64);
    for (int i = 0; i < 64; ++i) a[i] = i % 8;
    OnDevice<int> x(a), y(8);
    count<<<1, 64>>>(x, y);
    return true;
}
}  // namespace histogram_without_atomics

namespace no_syncwarp {
__global__ void backwards(const float* x, float* y) {
    __shared__ float line[32];
    line[threadIdx.x] = x[threadIdx.x];       // finds: race_in_block
    y[threadIdx.x] = line[31 - threadIdx.x];  // finds: race_in_block
}
bool run() {
    OnDevice<float> x(numbers(32)), y(32);
    backwards<<<1, 32>>>(x, y);
    return true;
}
}  // namespace no_syncwarp

namespace warp_synchronous_tree {
__global__ void sum(const float* x, float* y) {
    __shared__ volatile float part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    if (t < 32) {
        part[t] += part[t + 32];                                 // finds: race_in_block
        for (int k = 16; k > 0; k /= 2) part[t] += part[t + k];  // finds: race_in_block
    }
    if (t == 0) *y = part[0];
}
bool run() {
    OnDevice<float> x(numbers(64)), y(1);
    sum<<<1, 64>>>(x, y);
    return true;
}
}  // namespace warp_synchronous_tree

namespace scan_in_one_buffer {
__global__ void scan(const float* x, float* y) {
    __shared__ float sums[64];
    const int t = threadIdx.x;
    sums[t] = x[t];
    __syncthreads();
    for (int distance = 1; distance < 64; distance *= 2) {
        if (t >= distance) sums[t] += sums[t - distance];  // finds: race_in_block
        __syncthreads();
    }
    y[t] = sums[t];
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    scan<<<1, 64>>>(x, y);
    return true;
}
}  // namespace scan_in_one_buffer

namespace read_before_the_sum {
// Thread 0 computes the mean; the others do not wait for it.
__global__ void subtract_mean(const float* x, float* y) {
    __shared__ float mean;
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < 64; ++i) sum += x[i];
        mean = sum / 64;  // finds: race_in_block
    }
    y[threadIdx.x] = x[threadIdx.x] - mean;  // finds: race_in_block
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    subtract_mean<<<1, 64>>>(x, y);
    return true;
}
}  // namespace read_before_the_sum

namespace parts_used_twice {
// A reduction without a barrier at its end, called twice. The second call overwrites values that the first
// one still reads.
__device__ float sum_of_block(float v, float* parts) {
    for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffffu, v, k);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;  // finds: race_in_block
    __syncthreads();
    return parts[0] + parts[1];  // finds: race_in_block
}
__global__ void variance(const float* x, float* y) {
    __shared__ float parts[2];
    const float v = x[threadIdx.x], mean = sum_of_block(v, parts) / 64;
    y[threadIdx.x] = sum_of_block((v - mean) * (v - mean), parts) / 64;
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    variance<<<1, 64>>>(x, y);
    return true;
}
}  // namespace parts_used_twice

namespace in_place_neighbours {
__global__ void smooth(float* x, int n) {
    const int i = threadIdx.x;
    if (i > 0 && i < n - 1) x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;  // finds: race_in_block
}
bool run() {
    OnDevice<float> x(numbers(64));
    smooth<<<1, 64>>>(x, 64);
    return true;
}
}  // namespace in_place_neighbours

namespace rows_of_one_buffer {
// Two warps use one row, because the second index is missing.
__global__ void rows(const float* x, float* y) {
    __shared__ float row[32];
    row[threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];  // finds: race_in_block
    __syncthreads();
    y[threadIdx.y * 32 + threadIdx.x] = row[31 - threadIdx.x];
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    rows<<<1, dim3(32, 2)>>>(x, y);
    return true;
}
}  // namespace rows_of_one_buffer

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"no_barrier", no_barrier::run},
                {"no_second_barrier", no_second_barrier::run},
                {"barrier_behind_the_loop", barrier_behind_the_loop::run},
                {"sum_in_one_place", sum_in_one_place::run},
                {"histogram_without_atomics", histogram_without_atomics::run},
                {"no_syncwarp", no_syncwarp::run},
                {"warp_synchronous_tree", warp_synchronous_tree::run},
                {"scan_in_one_buffer", scan_in_one_buffer::run},
                {"read_before_the_sum", read_before_the_sum::run},
                {"parts_used_twice", parts_used_twice::run},
                {"in_place_neighbours", in_place_neighbours::run},
                {"rows_of_one_buffer", rows_of_one_buffer::run}});
}
