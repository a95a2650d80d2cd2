// Reads of memory that was never written, and numbers that are right only by luck.

#include "../corpus.h"

using namespace corpus;

namespace uninitialised_shared {
__global__ void copy(const float* x, float* y) {
    __shared__ float line[32];
    const int t = threadIdx.x;
    if (t < 31) line[t] = x[t];
    __syncthreads();
    y[t] = line[t];  // finds: uninitialised_read
}
bool run() {
    OnDevice<float> x(numbers(32)), y(32);
    copy<<<1, 32>>>(x, y);
    return true;
}
}  // namespace uninitialised_shared

namespace uninitialised_global {
__global__ void copy(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x];  // finds: uninitialised_read
}
bool run() {
    OnDevice<float> x(32), y(32);
    copy<<<1, 32>>>(x, y);
    return true;
}
}  // namespace uninitialised_global

namespace sum_without_a_beginning {
__global__ void add(const float* x, float* y) {
    for (int k = 0; k < 4; ++k) y[threadIdx.x] += x[32 * k + threadIdx.x];  // finds: uninitialised_read
}
bool run() {
    OnDevice<float> x(numbers(128)), y(32);
    add<<<1, 32>>>(x, y);
    return true;
}
}  // namespace sum_without_a_beginning

namespace atomic_without_a_beginning {
__global__ void add(const float* x, float* y) {
    atomicAdd(y, x[threadIdx.x]);  // finds: uninitialised_read
}
bool run() {
    OnDevice<float> x(numbers(32)), y(1);
    add<<<1, 32>>>(x, y);
    return true;
}
}  // namespace atomic_without_a_beginning

namespace partial_tile {
// The last tile is filled only as far as the input goes, but the whole tile is used.
__global__ void dot(const float* x, float* y, int n) {
    __shared__ float tile[32];
    float sum = 0;
    const int first = blockIdx.x * 32;
    if (first + static_cast<int>(threadIdx.x) < n) tile[threadIdx.x] = x[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += tile[k];  // finds: uninitialised_read
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
bool run() {
    OnDevice<float> x(numbers(50)), y(2);
    dot<<<2, 32>>>(x, y, 50);
    return true;
}
}  // namespace partial_tile

namespace half_of_the_result {
__global__ void first_half(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) y[i] = x[i];
}
__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];  // finds: uninitialised_read
}
bool run() {
    OnDevice<float> x(numbers(128)), y(128), z(128);
    first_half<<<2, 64>>>(x, y, 128);
    twice<<<2, 64>>>(y, z, 128);
    return true;
}
}  // namespace half_of_the_result

namespace uninitialised_local {
__global__ void sum_rows(const float* x, float* y, int n) {
    float sum;  // finds: numbers
    for (int k = 0; k < n; ++k) sum += x[threadIdx.x * n + k];
    y[threadIdx.x] = sum;
}
bool run() {
    const auto a = numbers(32 * 4);
    OnDevice<float> x(a), y(32);
    sum_rows<<<1, 32>>>(x, y, 4);
    return near(y.values(),
                wanted(32, [&](int i) { return a[4 * i] + a[4 * i + 1] + a[4 * i + 2] + a[4 * i + 3]; }));
}
}  // namespace uninitialised_local

namespace sum_in_any_order {
// The sum is exact only in the order of the host's loop.
__global__ void sum(const float* x, float* y) {
    atomicAdd(y, x[blockIdx.x * blockDim.x + threadIdx.x]);  // finds: numbers
}
bool run() {
    std::vector<float> a = numbers(256);
    for (std::size_t i = 0; i < a.size(); i += 3) a[i] *= 1e6f;
    OnDevice<float> x(a), y(1, 0.0f);
    sum<<<4, 64>>>(x, y);
    float total = 0;
    for (const float v : a) total += v;
    return near(y.values(), wanted(1, [&](int) { return total; }), 0);
}
}  // namespace sum_in_any_order

namespace right_for_one_block {
// Each block divides by a sum of its own.
__global__ void normalise(const float* x, float* y, int n) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum, fabsf(x[i]));
    __syncthreads();
    if (i < n) y[i] = x[i] / sum;  // finds: numbers
}
bool run() {
    const auto a = numbers(256);
    OnDevice<float> x(a), y(256);
    normalise<<<4, 64>>>(x, y, 256);
    double sum = 0;
    for (const float v : a) sum += std::fabs(v);
    return near(y.values(), wanted(256, [&](int i) { return a[i] / sum; }));
}
}  // namespace right_for_one_block

namespace grid_too_small {
__global__ void relu(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}
bool run() {
    const auto a = numbers(1000);
    OnDevice<float> x(a), y(1000);
    relu<<<1000 / 256, 256>>>(x, y, 1000);
    std::vector<float> result(1000);
    cudaMemcpy(result.data(), y, y.bytes(), cudaMemcpyDeviceToHost);  // finds: uninitialised_read
    return near(result, wanted(1000, [&](int i) { return a[i] > 0 ? a[i] : 0; }));
}
}  // namespace grid_too_small

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"uninitialised_shared", uninitialised_shared::run},
                {"uninitialised_global", uninitialised_global::run},
                {"sum_without_a_beginning", sum_without_a_beginning::run},
                {"atomic_without_a_beginning", atomic_without_a_beginning::run},
                {"partial_tile", partial_tile::run},
                {"half_of_the_result", half_of_the_result::run},
                {"uninitialised_local", uninitialised_local::run},
                {"sum_in_any_order", sum_in_any_order::run},
                {"right_for_one_block", right_for_one_block::run},
                {"grid_too_small", grid_too_small::run}});
}
