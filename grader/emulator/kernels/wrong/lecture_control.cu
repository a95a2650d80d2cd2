// Programs of lectures, each with one classic mistake in who takes part: barriers and shuffles that some
// threads miss, launches, the order of the host's calls, numbers that are wrong although nothing undefined
// happens.

#include "../corpus.h"

using namespace corpus;

namespace barrier_inside_the_tree {
// The barrier is inside the branch that half of the threads take.
__global__ void sum(const float* x, float* y) {
    __shared__ float data[128];
    const int t = threadIdx.x;
    data[t] = x[blockIdx.x * 128 + t];
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) {
            data[t] += data[t + s];
            __syncthreads();  // finds: divergent_barrier
        }
    }
    __syncthreads();
    if (t == 0) y[blockIdx.x] = data[0];
}
bool run() {
    OnDevice<float> x(numbers(256)), y(2);
    sum<<<2, 128>>>(x, y);
    return true;
}
}  // namespace barrier_inside_the_tree

namespace tiles_for_threads_inside_only {
// Threads outside the matrix load nothing, which is right, but they must not leave out the barrier.
constexpr int kTile = 8;
__global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ float As[kTile][kTile], Bs[kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    float sum = 0;
    for (int first = 0; first < n; first += kTile) {
        if (row < n && column < n) {
            As[y][x] = first + x < n ? A[row * n + first + x] : 0;
            Bs[y][x] = first + y < n ? B[(first + y) * n + column] : 0;
            __syncthreads();  // finds: divergent_barrier
            for (int k = 0; k < kTile && first + k < n; ++k) sum += As[y][k] * Bs[k][x];
        }
        __syncthreads();  // finds: divergent_barrier
    }
    if (row < n && column < n) C[row * n + column] = sum;
}
bool run() {
    OnDevice<float> A(numbers(144)), B(numbers(144, 2)), C(144);
    matmul<<<dim3(2, 2), dim3(kTile, kTile)>>>(A, B, C, 12);
    return true;
}
}  // namespace tiles_for_threads_inside_only

namespace shuffle_in_a_ragged_loop {
// In the last round only some lanes of a warp are in the loop.
__global__ void sum(const float* x, float* y, int n) {
    __shared__ float of_warps[2];
    float total = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = x[i];
        for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffffu, v, k);  // finds: absent_lane
        total += v;
    }
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x == 0) *y = of_warps[0] + of_warps[1];
}
bool run() {
    OnDevice<float> x(numbers(200)), y(1);
    sum<<<1, 64>>>(x, y, 200);
    return true;
}
}  // namespace shuffle_in_a_ragged_loop

namespace size_of_the_tile_in_numbers {
// The third launch parameter counts bytes.
__global__ void reverse(const float* x, float* y, int n) {
    extern __shared__ float line[];
    const int t = threadIdx.x;
    if (t < n) line[t] = x[t];  // finds: shared_memory_too_small
    __syncthreads();
    if (t < n) y[t] = line[n - 1 - t];
}
bool run() {
    const int n = 100;
    OnDevice<float> x(numbers(n)), y(n);
    reverse<<<1, 128, n>>>(x, y, n);
    return true;
}
}  // namespace size_of_the_tile_in_numbers

namespace block_as_large_as_the_matrix {
__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = threadIdx.y * n + threadIdx.x;
    c[i] = a[i] + b[i];
}
bool run() {
    const int n = 40;
    const auto x = numbers(n * n), y = numbers(n * n, 2);
    OnDevice<float> a(x), b(y), c(n * n, 0.0f);
    add<<<1, dim3(n, n)>>>(a, b, c, n);  // finds: bad_launch
    return near(c.values(), wanted(n * n, [&](int i) { return x[i] + y[i]; }));
}
}  // namespace block_as_large_as_the_matrix

namespace result_read_before_it_arrived {
__global__ void largest(const float* x, float* y, int n) {
    float best = x[0];
    for (int i = 1; i < n; ++i) best = fmaxf(best, x[i]);
    *y = best;
}
bool run() {
    float* result = nullptr;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&result, sizeof *result);
    OnDevice<float> x(numbers(100)), y(1);
    largest<<<1, 1, 0, stream>>>(x, y, 100);
    cudaMemcpyAsync(result, y, sizeof *result, cudaMemcpyDeviceToHost, stream);
    const bool right = *result <= 1;  // finds: not_synchronised
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(result);
    return right;
}
}  // namespace result_read_before_it_arrived

namespace destination_and_source_exchanged {
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(64);
    cudaMemcpy((void*)a.data(), x, 64 * sizeof(float), cudaMemcpyHostToDevice);  // finds: bad_copy
    return near(x.values(), a);
}
}  // namespace destination_and_source_exchanged

// From here on nothing undefined happens, so there is no finding, but the numbers are wrong.
namespace bytes_set_to_one {
__global__ void scale(int* counts, int by) {
    counts[threadIdx.x] *= by;
}
bool run() {
    OnDevice<int> counts(64);
    cudaMemset(counts, 1, counts.bytes());  // it sets each byte to 1
    scale<<<1, 64>>>(counts, 3);
    return near(counts.values(), wanted(64, [](int) { return 3; }));  // finds: numbers
}
}  // namespace bytes_set_to_one

namespace grid_rounded_down {
__global__ void square(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}
bool run() {
    const int n = 1000, threads = 256;
    const auto a = numbers(n);
    OnDevice<float> x(a), y(n, 0.0f);
    square<<<n / threads, threads>>>(x, y, n);
    return near(y.values(), wanted(n, [&](int i) { return a[i] * a[i]; }));  // finds: numbers
}
}  // namespace grid_rounded_down

namespace mean_of_integers {
__global__ void mean(const int* x, float* y, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i];
    *y = sum / n;
}
bool run() {
    OnDevice<int> x(std::vector<int>{1, 2, 4, 8});
    OnDevice<float> y(1);
    mean<<<1, 1>>>(x, y, 4);
    return near(y.values(), wanted(1, [](int) { return 3.75; }));  // finds: numbers
}
}  // namespace mean_of_integers

namespace softmax_without_the_maximum {
__global__ void softmax(const float* x, float* y, int n) {
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += expf(x[j]);
    y[threadIdx.x] = expf(x[threadIdx.x]) / sum;
}
bool run() {
    OnDevice<float> x(std::vector<float>{100, 100}), y(2);
    softmax<<<1, 2>>>(x, y, 2);
    return near(y.values(), wanted(2, [](int) { return 0.5; }));  // finds: numbers
}
}  // namespace softmax_without_the_maximum

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"barrier_inside_the_tree", barrier_inside_the_tree::run},
                {"tiles_for_threads_inside_only", tiles_for_threads_inside_only::run},
                {"shuffle_in_a_ragged_loop", shuffle_in_a_ragged_loop::run},
                {"size_of_the_tile_in_numbers", size_of_the_tile_in_numbers::run},
                {"block_as_large_as_the_matrix", block_as_large_as_the_matrix::run},
                {"result_read_before_it_arrived", result_read_before_it_arrived::run},
                {"destination_and_source_exchanged", destination_and_source_exchanged::run},
                {"bytes_set_to_one", bytes_set_to_one::run},
                {"grid_rounded_down", grid_rounded_down::run},
                {"mean_of_integers", mean_of_integers::run},
                {"softmax_without_the_maximum", softmax_without_the_maximum::run}});
}
