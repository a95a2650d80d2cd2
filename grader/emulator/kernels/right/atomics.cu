// Atomic functions, and blocks that do not wait for each other.

#include "../corpus.h"

using namespace corpus;

namespace integers {
__global__ void all_kinds(int* y, unsigned* bits) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&y[0], t);
    atomicSub(&y[1], 1);
    atomicMax(&y[2], t * 7 % 101);
    atomicMin(&y[3], -(t * 7 % 101));
    atomicOr(&bits[0], 1u << (t % 32));
    atomicAnd(&bits[1], ~(1u << (t % 5)));
    atomicXor(&bits[2], static_cast<unsigned>(t));
    atomicInc(&bits[3], 9u);
    if (t == 77) atomicExch(&y[4], 5);
}
bool run() {
    OnDevice<int> y(5, 0);
    OnDevice<unsigned> bits(std::vector<unsigned>{0, 255, 0, 0});
    all_kinds<<<4, 64>>>(y, bits);
    return y.values() == std::vector<int>{255 * 128, -256, 100, -100, 5} &&
           bits.values() == std::vector<unsigned>{0xffffffffu, 224, 0, 6};
}
}  // namespace integers

namespace floats {
__global__ void sum(const float* x, float* y, double* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(y, x[i]);
    atomicAdd(z, static_cast<double>(x[i]));
}
bool run() {
    const auto a = numbers(500);
    OnDevice<float> x(a), y(1, 0.0f);
    OnDevice<double> z(1, 0.0);
    sum<<<4, 128>>>(x, y, z, 500);
    double total = 0;
    for (const float v : a) total += v;
    return near(y.values(), wanted(1, [&](int) { return total; })) &&
           near(z.values(), wanted(1, [&](int) { return total; }), 1e-12);
}
}  // namespace floats

namespace exchange_loop {
__device__ void largest(float* place, float value) {
    int* const bits = reinterpret_cast<int*>(place);
    int seen = atomicCAS(bits, 0, 0);
    while (__int_as_float(seen) < value) {
        const int before = atomicCAS(bits, seen, __float_as_int(value));
        if (before == seen) break;
        seen = before;
    }
}
__global__ void maximum(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) largest(y, x[i]);
}
bool run() {
    const auto a = numbers(300);
    OnDevice<float> x(a), y(1, -1e30f);
    maximum<<<5, 64>>>(x, y, 300);
    float best = a[0];
    for (const float v : a) best = std::fmax(best, v);
    return near(y.values(), wanted(1, [&](int) { return best; }), 0);
}
}  // namespace exchange_loop

namespace histogram {
__global__ void count(const int* x, int* y, int n) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[x[i]], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}
bool run() {
    std::vector<int> a(777), bins(16);
    for (int i = 0; i < 777; ++i) ++bins[a[i] = i * i % 16];
    OnDevice<int> x(a), y(16, 0);
    count<<<3, 64>>>(x, y, 777);
    return y.values() == bins;
}
}  // namespace histogram

namespace last_block {
__device__ unsigned finished = 0;
__global__ void sum(const float* x, float* parts, float* y) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        float part = 0;
        for (int i = 0; i < 16; ++i) part += x[blockIdx.x * 16 + i];
        parts[blockIdx.x] = part;
        __threadfence();
        is_last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) total += parts[b];
        *y = total;
        finished = 0;
    }
}
bool run() {
    const auto a = numbers(160);
    OnDevice<float> x(a), parts(10), y(1);
    double total = 0;
    for (const float v : a) total += v;
    for (int again = 0; again < 2; ++again) {
        sum<<<10, 32>>>(x, parts, y);
        if (!near(y.values(), wanted(1, [&](int) { return total; }))) return false;
    }
    return true;
}
}  // namespace last_block

namespace queue {
// Threads take their places in any order, so only the set of numbers is checked.
__global__ void keep_positive(const float* x, float* y, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) y[atomicAdd(count, 1)] = x[i];
}
bool run() {
    const auto a = numbers(200);
    OnDevice<float> x(a), y(200, 0.0f);
    OnDevice<int> count(1, 0);
    keep_positive<<<4, 64>>>(x, y, count, 200);
    int positive = 0;
    double sum = 0, got = 0;
    for (const float v : a) positive += v > 0, sum += v > 0 ? v : 0;
    for (const float v : y.values()) got += v;
    return count.values()[0] == positive && std::fabs(got - sum) < 1e-9;
}
}  // namespace queue

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"integers", integers::run},
                {"floats", floats::run},
                {"exchange_loop", exchange_loop::run},
                {"histogram", histogram::run},
                {"last_block", last_block::run},
                {"queue", queue::run}});
}
