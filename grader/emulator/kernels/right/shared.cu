// Shared memory in all its forms, with the barriers that it needs.

#include "../corpus.h"

using namespace corpus;

namespace of_template_size {
template <int kSize>
__global__ void backwards(const float* x, float* y) {
    __shared__ float line[kSize];
    line[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = line[kSize - 1 - threadIdx.x];
}
bool run() {
    const auto a = numbers(96);
    OnDevice<float> x(a), y(96), z(64);
    backwards<96><<<1, 96>>>(x, y);
    backwards<64><<<1, 64>>>(x, z);
    return near(y.values(), wanted(96, [&](int i) { return a[95 - i]; })) &&
           near(z.values(), wanted(64, [&](int i) { return a[63 - i]; }));
}
}  // namespace of_template_size

namespace dynamic {
template <typename T>
__global__ void backwards(const T* x, T* y) {
    extern __shared__ __align__(16) unsigned char raw[];
    T* line = reinterpret_cast<T*>(raw);
    line[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
bool run() {
    const auto a = numbers(100);
    OnDevice<float> x(a), y(100);
    OnDevice<double> v(std::vector<double>(a.begin(), a.end())), w(100);
    backwards<float><<<1, 100, 100 * sizeof(float)>>>(x, y);
    backwards<double><<<1, 100, 100 * sizeof(double)>>>(v, w);
    const auto mirrored = wanted(100, [&](int i) { return a[99 - i]; });
    return near(y.values(), mirrored) && near(w.values(), mirrored);
}
}  // namespace dynamic

namespace two_dynamic_arrays {
extern __shared__ float both[];
__global__ void join(const float* x, int* y, int n) {
    float* values = both;
    int* places = reinterpret_cast<int*>(both + n);
    const int t = threadIdx.x;
    values[t] = x[t];
    places[t] = n - 1 - t;
    __syncthreads();
    y[t] = values[places[t]] > 0 ? places[t] : -1;
}
bool run() {
    const auto a = numbers(128);
    OnDevice<float> x(a);
    OnDevice<int> y(128);
    join<<<1, 128, 128 * (sizeof(float) + sizeof(int))>>>(x, y, 128);
    return near(y.values(), wanted(128, [&](int i) { return a[127 - i] > 0 ? 127 - i : -1; }));
}
}  // namespace two_dynamic_arrays

namespace more_than_48_kib {
__global__ void backwards(const float* x, float* y, int n) {
    extern __shared__ float line_of_block[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) line_of_block[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = line_of_block[n - 1 - i];
}
bool run() {
    constexpr int kSize = 15000;
    constexpr int kBytes = kSize * static_cast<int>(sizeof(float));
    const auto a = numbers(kSize);
    OnDevice<float> x(a), y(kSize);
    if (cudaFuncSetAttribute(backwards, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes) != cudaSuccess)
        return false;
    backwards<<<1, 256, kBytes>>>(x, y, kSize);
    return near(y.values(), wanted(kSize, [&](int i) { return a[kSize - 1 - i]; }));
}
}  // namespace more_than_48_kib

namespace static_and_struct {
struct State {
    float values[32];
    int count;
};
__global__ void count_positive(const float* x, int* y) {
    static __shared__ State state;
    if (threadIdx.x == 0) state.count = 0;
    state.values[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < 32; ++i) state.count += state.values[i] > 0;
    __syncthreads();
    y[threadIdx.x] = state.count;
}
bool run() {
    const auto a = numbers(32);
    OnDevice<float> x(a);
    OnDevice<int> y(32);
    count_positive<<<1, 32>>>(x, y);
    int count = 0;
    for (const float v : a) count += v > 0;
    return near(y.values(), wanted(32, [&](int) { return count; }));
}
}  // namespace static_and_struct

namespace double_buffer {
__global__ void stages(const float* x, float* y, int steps) {
    __shared__ float buffer[2][64];
    const int t = threadIdx.x;
    float sum = 0;
    buffer[0][t] = x[t];
    __syncthreads();
    for (int k = 0; k < steps; ++k) {
        if (k + 1 < steps) buffer[(k + 1) % 2][t] = x[64 * (k + 1) + t];
        sum += buffer[k % 2][63 - t];
        __syncthreads();
    }
    y[t] = sum;
}
bool run() {
    const auto a = numbers(64 * 5);
    OnDevice<float> x(a), y(64);
    stages<<<1, 64>>>(x, y, 5);
    return near(y.values(), wanted(64, [&](int i) {
                    float sum = 0;
                    for (int k = 0; k < 5; ++k) sum += a[64 * k + 63 - i];
                    return sum;
                }));
}
}  // namespace double_buffer

namespace barriers_that_count {
__global__ void votes(const int* x, int* y) {
    const int value = x[threadIdx.x];
    const int positive = __syncthreads_count(value > 0), any = __syncthreads_or(value == 77),
              all = __syncthreads_and(value > -1000);
    y[threadIdx.x] = positive * 100 + any * 10 + all;
}
bool run() {
    std::vector<int> a(100);
    for (int i = 0; i < 100; ++i) a[i] = i - 30;
    a[99] = 77;
    OnDevice<int> x(a), y(100);
    votes<<<1, 100>>>(x, y);
    return near(y.values(), wanted(100, [](int) { return 6911; }));
}
}  // namespace barriers_that_count

namespace tree {
__global__ void sums(const float* x, float* y, int n) {
    __shared__ float part[128];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];
}
bool run() {
    const auto a = numbers(1000);
    OnDevice<float> x(a), y(8);
    sums<<<8, 128>>>(x, y, 1000);
    return near(y.values(), wanted(8, [&](int b) {
                    double sum = 0;
                    for (int i = 128 * b; i < 128 * (b + 1) && i < 1000; ++i) sum += a[i];
                    return sum;
                }));
}
}  // namespace tree

namespace inclusive_scan {
__global__ void scan(const float* x, float* y) {
    __shared__ float sums[2][128];
    const int t = threadIdx.x;
    int now = 0;
    sums[0][t] = x[t];
    __syncthreads();
    for (int distance = 1; distance < 128; distance *= 2) {
        sums[1 - now][t] = sums[now][t] + (t >= distance ? sums[now][t - distance] : 0.0f);
        now = 1 - now;
        __syncthreads();
    }
    y[t] = sums[now][t];
}
bool run() {
    const auto a = numbers(128);
    OnDevice<float> x(a), y(128);
    scan<<<1, 128>>>(x, y);
    double sum = 0;
    return near(y.values(), wanted(128, [&](int i) { return sum += a[i]; }));
}
}  // namespace inclusive_scan

namespace flag_of_one_value {
// Many threads write the same value to one address. CUDA's programming guide allows that.
__global__ void any_above(const float* x, float limit, int* y) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (x[threadIdx.x] > limit) found = 1;
    __syncthreads();
    y[threadIdx.x] = found;
}
bool run() {
    OnDevice<float> x(numbers(64));
    OnDevice<int> y(64), z(64);
    any_above<<<1, 64>>>(x, 0.0f, y);
    any_above<<<1, 64>>>(x, 2.0f, z);
    return near(y.values(), wanted(64, [](int) { return 1; })) &&
           near(z.values(), wanted(64, [](int) { return 0; }));
}
}  // namespace flag_of_one_value

namespace stencil {
constexpr int kBlock = 64, kRadius = 3;
__global__ void blur(const float* x, float* y, int n) {
    __shared__ float line[kBlock + 2 * kRadius];
    const int i = blockIdx.x * kBlock + threadIdx.x, place = threadIdx.x + kRadius;
    line[place] = i < n ? x[i] : 0.0f;
    if (threadIdx.x < kRadius) {
        line[place - kRadius] = i >= kRadius && i - kRadius < n ? x[i - kRadius] : 0.0f;
        line[place + kBlock] = i + kBlock < n ? x[i + kBlock] : 0.0f;
    }
    __syncthreads();
    if (i >= n) return;
    float sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k) sum += line[place + k];
    y[i] = sum;
}
bool run() {
    const auto a = numbers(200);
    OnDevice<float> x(a), y(200);
    blur<<<4, kBlock>>>(x, y, 200);
    return near(y.values(), wanted(200, [&](int i) {
                    float sum = 0;
                    for (int k = i - kRadius; k <= i + kRadius; ++k) sum += k >= 0 && k < 200 ? a[k] : 0.0f;
                    return sum;
                }));
}
}  // namespace stencil

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"of_template_size", of_template_size::run},
                {"dynamic", dynamic::run},
                {"two_dynamic_arrays", two_dynamic_arrays::run},
                {"more_than_48_kib", more_than_48_kib::run},
                {"static_and_struct", static_and_struct::run},
                {"double_buffer", double_buffer::run},
                {"barriers_that_count", barriers_that_count::run},
                {"tree", tree::run},
                {"inclusive_scan", inclusive_scan::run},
                {"flag_of_one_value", flag_of_one_value::run},
                {"stencil", stencil::run}});
}
