// Programs of lectures, each with one classic mistake in what it reads and writes: outside of arrays, the
// wrong memory, memory that was never written.

#include "../corpus.h"

using namespace corpus;

namespace product_without_guards {
// The result is guarded, but the loads of the ragged tiles are not.
constexpr int kTile = 16;
__global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ float As[kTile][kTile], Bs[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < n; first += kTile) {
        As[y][x] = A[row * n + first + x];       // finds: out_of_bounds
        Bs[y][x] = B[(first + y) * n + column];  // finds: out_of_bounds
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += As[y][k] * Bs[k][x];
        __syncthreads();
    }
    if (row < n && column < n) C[row * n + column] = sum;
}
bool run() {
    OnDevice<float> A(numbers(400)), B(numbers(400, 2)), C(400);
    matmul<<<dim3(2, 2), dim3(kTile, kTile)>>>(A, B, C, 20);
    return true;
}
}  // namespace product_without_guards

namespace stencil_without_a_left_edge {
__global__ void blur(const float* x, float* y, int n) {
    __shared__ float line[64 + 2];
    const int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x + 1;
    if (i < n) line[t] = x[i];
    if (threadIdx.x == 0) line[0] = x[i - 1];  // finds: out_of_bounds
    if (threadIdx.x == 63 || i == n - 1) line[t + 1] = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    if (i < n) y[i] = (line[t - 1] + line[t] + line[t + 1]) / 3;
}
bool run() {
    OnDevice<float> x(numbers(150)), y(150);
    blur<<<3, 64>>>(x, y, 150);
    return true;
}
}  // namespace stencil_without_a_left_edge

namespace convolution_one_tile_too_far {
// The tile has room for both borders, but the right border is stored one place too far.
constexpr int kRadius = 3, kBlock = 32;
__global__ void convolve(const float* x, float* y, int n) {
    __shared__ float line[kBlock + 2 * kRadius];
    const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x;
    line[t + kRadius] = x[i];
    if (t < kRadius) {
        line[t] = i >= kRadius ? x[i - kRadius] : 0;
        line[t + kBlock + kRadius + 1] = i + kBlock < n ? x[i + kBlock] : 0;  // finds: shared_out_of_bounds
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 2 * kRadius; ++k) sum += line[t + k];
    y[i] = sum;
}
bool run() {
    OnDevice<float> x(numbers(128)), y(128);
    convolve<<<4, kBlock>>>(x, y, 128);
    return true;
}
}  // namespace convolution_one_tile_too_far

namespace histogram_one_bin_short {
// Values from 0 to 100 need 101 bins.
__global__ void count(const int* percent, int* bins, int n) {
    __shared__ int mine[100];
    for (int b = threadIdx.x; b < 100; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&mine[percent[i]], 1);  // finds: shared_out_of_bounds
    __syncthreads();
    for (int b = threadIdx.x; b < 100; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}
bool run() {
    std::vector<int> a(202);
    for (int i = 0; i < 202; ++i) a[i] = i % 101;
    OnDevice<int> percent(a), bins(100, 0);
    count<<<2, 128>>>(percent, bins, 202);
    return true;
}
}  // namespace histogram_one_bin_short

namespace sparse_rows_without_an_end {
// The begins of n rows are n + 1 numbers. The last one is missing.
__global__ void multiply(const int* begins, const int* columns, const float* values, const float* x, float* y,
                         int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const int end = begins[row + 1];  // finds: out_of_bounds
    float sum = 0;
    for (int e = begins[row]; e < end; ++e) sum += values[e] * x[columns[e]];
    y[row] = sum;
}
bool run() {
    const int n = 64;
    std::vector<int> begins(n), columns(2 * n);
    for (int i = 0; i < n; ++i) {
        begins[i] = 2 * i;
        columns[2 * i] = i;
        columns[2 * i + 1] = (i + 1) % n;
    }
    OnDevice<int> d_begins(begins), d_columns(columns);
    OnDevice<float> values(numbers(2 * n)), x(numbers(n, 2)), y(n);
    multiply<<<2, 32>>>(d_begins, d_columns, values, x, y, n);
    return true;
}
}  // namespace sparse_rows_without_an_end

namespace last_quad_is_not_whole {
__global__ void relu(float4* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n) return;
    float4 v = x[i];  // finds: out_of_bounds
    v.x = fmaxf(v.x, 0), v.y = fmaxf(v.y, 0), v.z = fmaxf(v.z, 0), v.w = fmaxf(v.w, 0);
    x[i] = v;
}
bool run() {
    const int n = 1001;
    OnDevice<float> x(numbers(n));
    relu<<<blocks_for((n + 3) / 4, 64), 64>>>(reinterpret_cast<float4*>(static_cast<float*>(x)), n);
    return true;
}
}  // namespace last_quad_is_not_whole

namespace bin_of_a_large_number {
// From 16777216 the product is larger than an int can be, and the bin is negative.
__global__ void count(const int* x, int* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int bin = x[i] * 128 / 30000001;
    atomicAdd(&bins[bin], 1);  // finds: out_of_bounds
}
bool run() {
    std::vector<int> a(100);
    for (int i = 0; i < 100; ++i) a[i] = 300000 * i;
    OnDevice<int> x(a), bins(128, 0);
    count<<<1, 128>>>(x, bins, 100);
    return true;
}
}  // namespace bin_of_a_large_number

namespace room_for_eight_warps {
__global__ void sums(const float* x, float* y) {
    __shared__ float of_warps[8];
    float v = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffffu, v, k);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = v;  // finds: shared_out_of_bounds
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < blockDim.x / 32; ++w) v += of_warps[w];
    y[blockIdx.x] = v;
}
bool run() {
    OnDevice<float> x(numbers(1024)), y(2);
    sums<<<2, 512>>>(x, y);
    return true;
}
}  // namespace room_for_eight_warps

namespace host_pointer_in_a_structure {
// The structure is copied to the device, and the array that it points to stays on the host.
struct Vector {
    int n;
    float* elements;
};
__global__ void scale(Vector v, float by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < v.n) v.elements[i] *= by;  // finds: host_memory_in_kernel
}
bool run() {
    std::vector<float> a = numbers(100);
    scale<<<1, 128>>>(Vector{100, a.data()}, 2);
    cudaDeviceSynchronize();
    return a[0] == 2 * numbers(1)[0];
}
}  // namespace host_pointer_in_a_structure

namespace used_in_the_next_round {
// The temporary array is freed in the first round and used in the second.
__global__ void smooth(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (x[i] + x[(i + 1) % n]) / 2;  // finds: use_after_free
}
bool run() {
    const int n = 100;
    OnDevice<float> x(numbers(n));
    float* temporary;
    cudaMalloc(&temporary, n * sizeof(float));
    for (int round = 0; round < 2; ++round) {
        smooth<<<1, 128>>>(x, temporary, n);
        cudaMemcpy(x, temporary, n * sizeof(float), cudaMemcpyDeviceToDevice);
        cudaFree(temporary);
    }
    return true;
}
}  // namespace used_in_the_next_round

namespace input_was_not_copied {
__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];  // finds: uninitialised_read
}
bool run() {
    const auto b = numbers(200, 2);
    std::vector<float> c(200);
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, 200 * sizeof(float));
    cudaMalloc(&d_b, 200 * sizeof(float));
    cudaMalloc(&d_c, 200 * sizeof(float));
    cudaMemcpy(d_b, b.data(), 200 * sizeof(float), cudaMemcpyHostToDevice);
    add<<<2, 128>>>(d_a, d_b, d_c, 200);
    cudaMemcpy(c.data(), d_c, 200 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return near(c, b);
}
}  // namespace input_was_not_copied

namespace copied_numbers_instead_of_bytes {
// cudaMemcpy counts in bytes, so a quarter of the vector arrives.
__global__ void square(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * x[i];  // finds: uninitialised_read
}
bool run() {
    const auto a = numbers(256);
    OnDevice<float> x(256);
    cudaMemcpy(x, a.data(), a.size(), cudaMemcpyHostToDevice);
    square<<<2, 128>>>(x, 256);
    return near(x.values(), wanted(256, [&](int i) { return a[i] * a[i]; }));
}
}  // namespace copied_numbers_instead_of_bytes

namespace sum_that_does_not_begin_at_zero {
__global__ void mean(const float* x, float* y, int n) {
    __shared__ float sum;
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&sum, x[i]);  // finds: uninitialised_read
    __syncthreads();
    if (threadIdx.x == 0) *y = sum / n;
}
bool run() {
    OnDevice<float> x(numbers(100)), y(1);
    mean<<<1, 64>>>(x, y, 100);
    return true;
}
}  // namespace sum_that_does_not_begin_at_zero

namespace allocation_that_failed {
// The size in bytes is computed as an int and overflows, and the program does not look at the error.
__global__ void fill(float* x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        x[i] = 1;  // finds: out_of_bounds
}
bool run() {
    int rows = 30000, columns = 30000, bytes = static_cast<int>(rows * 4u * columns);
    float* x = nullptr;
    cudaMalloc(&x, bytes);
    fill<<<2, 64>>>(x, 1000);
    cudaFree(x);
    return true;
}
}  // namespace allocation_that_failed

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"product_without_guards", product_without_guards::run},
                {"stencil_without_a_left_edge", stencil_without_a_left_edge::run},
                {"convolution_one_tile_too_far", convolution_one_tile_too_far::run},
                {"histogram_one_bin_short", histogram_one_bin_short::run},
                {"sparse_rows_without_an_end", sparse_rows_without_an_end::run},
                {"last_quad_is_not_whole", last_quad_is_not_whole::run},
                {"bin_of_a_large_number", bin_of_a_large_number::run},
                {"room_for_eight_warps", room_for_eight_warps::run},
                {"host_pointer_in_a_structure", host_pointer_in_a_structure::run},
                {"used_in_the_next_round", used_in_the_next_round::run},
                {"input_was_not_copied", input_was_not_copied::run},
                {"copied_numbers_instead_of_bytes", copied_numbers_instead_of_bytes::run},
                {"sum_that_does_not_begin_at_zero", sum_that_does_not_begin_at_zero::run},
                {"allocation_that_failed", allocation_that_failed::run}});
}
