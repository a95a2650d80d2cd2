// Accesses outside arrays, to the wrong memory, or misaligned.

#include "../corpus.h"

using namespace corpus;

namespace no_bounds_check {
__global__ void fill(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = static_cast<float>(n);  // finds: out_of_bounds
}
bool run() {
    OnDevice<float> y(1000);
    fill<<<4, 256>>>(y, 1000);
    return near(y.values(), wanted(1000, [](int) { return 1000; }));
}
}  // namespace no_bounds_check

namespace one_too_far {
__global__ void fill(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = 1.0f;  // finds: out_of_bounds
}
bool run() {
    OnDevice<float> y(1000);
    fill<<<4, 256>>>(y, 1000);
    return near(y.values(), wanted(1000, [](int) { return 1; }));
}
}  // namespace one_too_far

namespace reads_too_far {
__global__ void difference(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i + 1] - x[i];  // finds: out_of_bounds
}
bool run() {
    OnDevice<float> x(numbers(300)), y(300);
    difference<<<3, 128>>>(x, y, 300);
    return y.values().size() == 300;
}
}  // namespace reads_too_far

namespace far_away {
__global__ void fill(float* y) {
    y[5000000 + threadIdx.x] = 1.0f;  // finds: out_of_bounds
}
bool run() {
    OnDevice<float> y(100);
    fill<<<1, 32>>>(y);
    return true;
}
}  // namespace far_away

namespace negative_index {
__global__ void left_neighbour(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i - 1];  // finds: out_of_bounds
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    left_neighbour<<<1, 64>>>(x, y, 64);
    return true;
}
}  // namespace negative_index

namespace rows_for_columns {
__global__ void twice(const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[column * columns + row] = 2 * x[row * columns + column];  // finds: out_of_bounds
}
bool run() {
    OnDevice<float> x(numbers(10 * 30)), y(10 * 30);
    twice<<<dim3(2, 1), dim3(16, 16)>>>(x, y, 10, 30);
    return true;
}
}  // namespace rows_for_columns

namespace bytes_forgotten {
__global__ void fill(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1.0f;  // finds: out_of_bounds
}
bool run() {
    float* y = nullptr;
    cudaMalloc(&y, 100);  // 100 bytes, not 100 numbers
    fill<<<1, 128>>>(y, 100);
    cudaFree(y);
    return true;
}
}  // namespace bytes_forgotten

namespace shared_by_constant {
__global__ void last(float* y) {
    __shared__ float line[64];
    line[threadIdx.x] = 1.0f;
    __syncthreads();
    y[threadIdx.x] = line[threadIdx.x + 1];  // finds: shared_out_of_bounds
}
bool run() {
    OnDevice<float> y(64);
    last<<<1, 64>>>(y);
    return true;
}
}  // namespace shared_by_constant

namespace shared_by_pointer {
__device__ void set(float* place) {
    *place = 1.0f;  // finds: shared_out_of_bounds
}
__global__ void fill(float* y) {
    __shared__ float line[64];
    set(line + threadIdx.x + 40);
    __syncthreads();
    y[threadIdx.x] = line[threadIdx.x + 20];
}
bool run() {
    OnDevice<float> y(32);
    fill<<<1, 32>>>(y);
    return true;
}
}  // namespace shared_by_pointer

namespace shared_inner_index {
// Still inside the whole array, but in the next row.
__global__ void diagonal(float* y) {
    __shared__ float tile[32][33];
    const int t = threadIdx.x;
    tile[t][t + 2] = 1.0f;  // finds: shared_out_of_bounds
    __syncthreads();
    y[t] = tile[t][t + 2];
}
bool run() {
    OnDevice<float> y(32);
    diagonal<<<1, 32>>>(y);
    return true;
}
}  // namespace shared_inner_index

namespace shared_of_another_block_size {
__global__ void copy(const float* x, float* y, int n) {
    __shared__ float line[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    line[threadIdx.x] = i < n ? x[i] : 0.0f;  // finds: shared_out_of_bounds
    __syncthreads();
    if (i < n) y[i] = line[threadIdx.x];
}
bool run() {
    OnDevice<float> x(numbers(300)), y(300);
    copy<<<2, 256>>>(x, y, 300);
    return true;
}
}  // namespace shared_of_another_block_size

namespace dynamic_too_small {
__global__ void copy(const float* x, float* y) {
    extern __shared__ float line[];
    line[threadIdx.x] = x[threadIdx.x];  // finds: shared_memory_too_small
    __syncthreads();
    y[threadIdx.x] = line[threadIdx.x];
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    copy<<<1, 64, 64>>>(x, y);  // the size is in bytes
    return true;
}
}  // namespace dynamic_too_small

namespace dynamic_forgotten {
__global__ void copy(const float* x, float* y) {
    extern __shared__ float line[];
    line[threadIdx.x] = x[threadIdx.x];  // finds: shared_memory_too_small
    __syncthreads();
    y[threadIdx.x] = line[threadIdx.x];
}
bool run() {
    OnDevice<float> x(numbers(64)), y(64);
    copy<<<1, 64>>>(x, y);
    return true;
}
}  // namespace dynamic_forgotten

namespace host_pointer {
__global__ void copy(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x];  // finds: host_memory_in_kernel
}
bool run() {
    const auto a = numbers(32);
    OnDevice<float> y(32);
    copy<<<1, 32>>>(a.data(), y);
    return true;
}
}  // namespace host_pointer

namespace variable_of_the_host {
__global__ void store(float* sum) {
    *sum = 1.0f;  // finds: host_memory_in_kernel
}
bool run() {
    float sum = 0;
    store<<<1, 1>>>(&sum);
    return true;
}
}  // namespace variable_of_the_host

namespace null_pointer {
__global__ void store(float* y) {
    y[threadIdx.x] = 1.0f;  // finds: out_of_bounds
}
bool run() {
    store<<<1, 32>>>(nullptr);
    return true;
}
}  // namespace null_pointer

namespace device_pointer_on_the_host {
bool run() {
    OnDevice<float> y(32, 0.0f);
    float* place = y;
    place[3] = 1.0f;  // finds: device_memory_on_host
    return true;
}
}  // namespace device_pointer_on_the_host

namespace misaligned_quad {
__global__ void sums(const float* x, float* y) {
    const float4 v = *reinterpret_cast<const float4*>(x + 1 + 4 * threadIdx.x);  // finds: misaligned
    y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
bool run() {
    OnDevice<float> x(numbers(200)), y(32);
    sums<<<1, 32>>>(x, y);
    return true;
}
}  // namespace misaligned_quad

namespace after_free {
__global__ void twice(float* y) {
    y[threadIdx.x] *= 2.0f;  // finds: use_after_free
}
bool run() {
    float* y = nullptr;
    cudaMalloc(&y, 128);
    cudaMemset(y, 0, 128);
    cudaFree(y);
    twice<<<1, 32>>>(y);
    return true;
}
}  // namespace after_free

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"no_bounds_check", no_bounds_check::run},
                {"one_too_far", one_too_far::run},
                {"reads_too_far", reads_too_far::run},
                {"far_away", far_away::run},
                {"negative_index", negative_index::run},
                {"rows_for_columns", rows_for_columns::run},
                {"bytes_forgotten", bytes_forgotten::run},
                {"shared_by_constant", shared_by_constant::run},
                {"shared_by_pointer", shared_by_pointer::run},
                {"shared_inner_index", shared_inner_index::run},
                {"shared_of_another_block_size", shared_of_another_block_size::run},
                {"dynamic_too_small", dynamic_too_small::run},
                {"dynamic_forgotten", dynamic_forgotten::run},
                {"host_pointer", host_pointer::run},
                {"variable_of_the_host", variable_of_the_host::run},
                {"null_pointer", null_pointer::run},
                {"device_pointer_on_the_host", device_pointer_on_the_host::run},
                {"misaligned_quad", misaligned_quad::run},
                {"after_free", after_free::run}});
}
