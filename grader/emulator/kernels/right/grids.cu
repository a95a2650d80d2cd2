// Grids and blocks of one, two and three dimensions, and everything that a single thread may do.

#include <cassert>

#include "../corpus.h"

using namespace corpus;

namespace one_dimension {
__global__ void add(const float* x, const float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
bool run() {
    const auto a = numbers(1000), b = numbers(1000, 2);
    OnDevice<float> x(a), y(b), z(1000);
    add<<<blocks_for(1000, 256), 256>>>(x, y, z, 1000);
    return near(z.values(), wanted(1000, [&](int i) { return a[i] + b[i]; }));
}
}  // namespace one_dimension

namespace two_dimensions {
__global__ void scale_rows(const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[row * columns + column] = static_cast<float>(row + 1) * x[row * columns + column];
}
bool run() {
    const auto a = numbers(37 * 53);
    OnDevice<float> x(a), y(37 * 53);
    const dim3 block(16, 8), grid(blocks_for(53, 16), blocks_for(37, 8));
    scale_rows<<<grid, block>>>(x, y, 37, 53);
    return near(y.values(), wanted(37 * 53, [&](int i) { return static_cast<float>(i / 53 + 1) * a[i]; }));
}
}  // namespace two_dimensions

namespace three_dimensions {
__global__ void where(int* y, int3 size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y,
              s = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < size.x && r < size.y && s < size.z) y[(s * size.y + r) * size.x + x] = x + 100 * r + 10000 * s;
}
bool run() {
    OnDevice<int> y(7 * 9 * 11);
    where<<<dim3(2, 3, 4), dim3(4, 3, 3)>>>(y, make_int3(7, 9, 11));
    return near(y.values(),
                wanted(7 * 9 * 11, [](int i) { return i % 7 + 100 * (i / 7 % 9) + 10000 * (i / 63); }));
}
}  // namespace three_dimensions

namespace grid_stride {
__global__ void square(const float* x, float* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * x[i];
}
bool run() {
    const auto a = numbers(1001);
    OnDevice<float> x(a), y(1001);
    square<<<3, 64>>>(x, y, 1001);
    return near(y.values(), wanted(1001, [&](int i) { return a[i] * a[i]; }));
}
}  // namespace grid_stride

namespace one_thread {
__global__ void sum(const float* x, float* y, int n) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += x[i];
    *y = total;
}
bool run() {
    const auto a = numbers(100);
    OnDevice<float> x(a), y(1);
    sum<<<1, 1>>>(x, y, 100);
    float total = 0;
    for (const float v : a) total += v;
    return near(y.values(), wanted(1, [&](int) { return total; }));
}
}  // namespace one_thread

namespace blocks_of_1024 {
__global__ void __launch_bounds__(1024) backwards(const float* __restrict__ x, float* __restrict__ y) {
    __shared__ float line[1024];
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    line[t] = __ldg(&x[blockIdx.x * 1024 + t]);
    __syncthreads();
    y[blockIdx.x * 1024 + t] = line[1023 - t];
}
bool run() {
    const auto a = numbers(2048);
    OnDevice<float> x(a), y(2048);
    backwards<<<2, dim3(32, 32)>>>(x, y);
    return near(y.values(), wanted(2048, [&](int i) { return a[i / 1024 * 1024 + 1023 - i % 1024]; }));
}
}  // namespace blocks_of_1024

namespace vectors_of_four {
__global__ void twice(const float4* x, float4* y, int quads) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= quads) return;
    const float4 v = x[i];
    y[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
}
bool run() {
    const auto a = numbers(400);
    OnDevice<float> x(a), y(400);
    twice<<<2, 64>>>(reinterpret_cast<const float4*>(static_cast<float*>(x)),
                     reinterpret_cast<float4*>(static_cast<float*>(y)), 100);
    return near(y.values(), wanted(400, [&](int i) { return 2 * a[i]; }));
}
}  // namespace vectors_of_four

namespace constants_and_variables {
__constant__ float weights[4] = {1, 2, 3, 4};
__constant__ float offset;
__device__ int calls;
__device__ float table[3];
__global__ void mix(float* y) {
    const int t = threadIdx.x;
    if (t < 3) table[t] = weights[t] + offset;
    if (t == 3) calls += 1;
    __syncthreads();
    y[t] = table[t % 3] * weights[3];
}
bool run() {
    OnDevice<float> y(32);
    const float half = 0.5f;
    const int five = 5;
    cudaMemcpyToSymbol(calls, &five, sizeof five);
    cudaMemcpyToSymbol(offset, &half, sizeof half);
    mix<<<1, 32>>>(y);
    int seen = 0;
    float third = 0;
    cudaMemcpyFromSymbol(&seen, calls, sizeof seen);
    cudaMemcpyFromSymbol(&third, table, sizeof third, 2 * sizeof(float));
    return seen == 6 && third == 3.5f &&
           near(y.values(), wanted(32, [](int i) { return 4 * (i % 3 + 1.5); }));
}
}  // namespace constants_and_variables

namespace struct_by_value {
struct Line {
    const float* x;
    float* y;
    int n;
    float slope, offset[2];
    __device__ float at(int i) const { return slope * x[i] + offset[i % 2]; }
};
__global__ void apply(Line line) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < line.n) line.y[i] = line.at(i);
}
bool run() {
    const auto a = numbers(100);
    OnDevice<float> x(a), y(100);
    apply<<<4, 32>>>(Line{x, y, 100, 3.0f, {1.0f, 2.0f}});
    return near(y.values(), wanted(100, [&](int i) { return 3 * a[i] + 1 + i % 2; }));
}
}  // namespace struct_by_value

namespace lambdas_and_references {
template <int kSize>
__device__ void fill(float (&local)[kSize], float value) {
    for (float& element : local) element = value;
}
template <class Function>
__device__ void for_each(int n, const Function& function) {
    for (int i = 0; i < n; ++i) function(i);
}
__global__ void eightfold(const float* x, float* y) {
    float local[8], sum = 0;
    fill(local, x[threadIdx.x]);
    for_each(8, [&](int i) { sum += local[i]; });
    assert(sum == sum);
    y[threadIdx.x] = sum;
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(64);
    eightfold<<<1, 64>>>(x, y);
    return near(y.values(), wanted(64, [&](int i) { return 8 * a[i]; }));
}
}  // namespace lambdas_and_references

namespace templates {
struct Largest {
    static __device__ float join(float a, float b) { return fmaxf(a, b); }
};
template <typename T, int kWidth, class Operation>
__global__ void rows(const T* x, T* y) {
    T result = x[threadIdx.x * kWidth];
#pragma unroll
    for (int i = 1; i < kWidth; ++i) result = Operation::join(result, x[threadIdx.x * kWidth + i]);
    y[threadIdx.x] = result;
}
bool run() {
    const auto a = numbers(40 * 5);
    OnDevice<float> x(a), y(40);
    rows<float, 5, Largest><<<1, 40>>>(x, y);
    return near(y.values(), wanted(40, [&](int i) {
                    float best = a[5 * i];
                    for (int j = 1; j < 5; ++j) best = std::fmax(best, a[5 * i + j]);
                    return best;
                }));
}
}  // namespace templates

namespace deep_stack {
__device__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void far_down(float* y) {
    float local[4096];  // 16 KiB
    for (int i = 0; i < 4096; ++i) local[i] = static_cast<float>(i);
    y[threadIdx.x] =
        local[4095 - threadIdx.x] + static_cast<float>(fibonacci(static_cast<int>(threadIdx.x) % 12));
}
bool run() {
    OnDevice<float> y(64);
    far_down<<<1, 64>>>(y);
    return near(y.values(), wanted(64, [](int i) {
                    int a = 0, b = 1;
                    for (int k = 0; k < i % 12; ++k) {
                        const int next = a + b;
                        a = b;
                        b = next;
                    }
                    return 4095 - i + a;
                }));
}
}  // namespace deep_stack

namespace printing {
__global__ void speak(float* y) {
    if (threadIdx.x == 3) printf("thread %d says %g\n", static_cast<int>(threadIdx.x), 1.5);
    y[threadIdx.x] = 1.0f;
}
bool run() {
    OnDevice<float> y(32);
    speak<<<1, 32>>>(y);
    return near(y.values(), wanted(32, [](int) { return 1; }));
}
}  // namespace printing

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"one_dimension", one_dimension::run},
                {"two_dimensions", two_dimensions::run},
                {"three_dimensions", three_dimensions::run},
                {"grid_stride", grid_stride::run},
                {"one_thread", one_thread::run},
                {"blocks_of_1024", blocks_of_1024::run},
                {"vectors_of_four", vectors_of_four::run},
                {"constants_and_variables", constants_and_variables::run},
                {"struct_by_value", struct_by_value::run},
                {"lambdas_and_references", lambdas_and_references::run},
                {"templates", templates::run},
                {"deep_stack", deep_stack::run},
                {"printing", printing::run}});
}
