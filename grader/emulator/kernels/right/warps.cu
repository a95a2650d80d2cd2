// What the lanes of a warp do together, and what they may do separately.

#include "../corpus.h"

using namespace corpus;

__device__ float sum_of_warp(float v) {
    for (int distance = 16; distance > 0; distance /= 2) v += __shfl_down_sync(0xffffffffu, v, distance);
    return v;
}

namespace tree_with_syncwarp {
__global__ void sum(const float* x, float* y) {
    __shared__ float part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    if (t < 32) {
        part[t] += part[t + 32];
        __syncwarp();
        for (int half = 16; half > 0; half /= 2) {
            if (t < half) part[t] += part[t + half];
            __syncwarp();
        }
        if (t == 0) *y = part[0];
    }
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(1);
    sum<<<1, 64>>>(x, y);
    double total = 0;
    for (const float v : a) total += v;
    return near(y.values(), wanted(1, [&](int) { return total; }));
}
}  // namespace tree_with_syncwarp

namespace shuffles {
__global__ void move(const float* x, float* y) {
    const int t = threadIdx.x;
    const float v = x[t];
    y[t] = __shfl_sync(0xffffffffu, v, (t + 5) % 32);
    y[64 + t] = __shfl_up_sync(0xffffffffu, v, 3);
    y[128 + t] = __shfl_down_sync(0xffffffffu, v, 4);
    y[192 + t] = __shfl_xor_sync(0xffffffffu, v, 9);
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(256);
    move<<<1, 64>>>(x, y);
    return near(y.values(), wanted(256, [&](int i) {
                    const int t = i % 64, lane = t % 32, warp = t - lane;
                    if (i < 64) return a[warp + (lane + 5) % 32];
                    if (i < 128) return a[lane < 3 ? t : t - 3];
                    if (i < 192) return a[lane > 27 ? t : t + 4];
                    return a[warp + (lane ^ 9)];
                }));
}
}  // namespace shuffles

namespace shuffles_of_width {
__global__ void move(const double* x, double* y) {
    const int t = threadIdx.x;
    y[t] = __shfl_sync(0xffffffffu, x[t], 1, 8) + __shfl_up_sync(0xffffffffu, x[t], 1, 4) +
           __shfl_down_sync(0xffffffffu, x[t], 2, 16) + __shfl_xor_sync(0xffffffffu, x[t], 3, 8);
}
bool run() {
    const auto a = numbers(32);
    OnDevice<double> x(std::vector<double>(a.begin(), a.end())), y(32);
    move<<<1, 32>>>(x, y);
    return near(y.values(), wanted(32, [&](int t) {
                    return static_cast<double>(a[t / 8 * 8 + 1]) + a[t % 4 == 0 ? t : t - 1] +
                           a[t % 16 > 13 ? t : t + 2] + a[t ^ 3];
                }));
}
}  // namespace shuffles_of_width

namespace groups_of_one_warp {
// The two halves of the warp take different branches, each with its own mask.
__global__ void halves(const int* x, int* y) {
    const int t = threadIdx.x;
    int v = x[t];
    if (t < 16) {
        for (int k = 8; k > 0; k /= 2) v += __shfl_xor_sync(0x0000ffffu, v, k);
    } else {
        for (int k = 8; k > 0; k /= 2) v = max(v, __shfl_xor_sync(0xffff0000u, v, k));
    }
    y[t] = v;
}
bool run() {
    std::vector<int> a(32);
    for (int i = 0; i < 32; ++i) a[i] = i * i;
    OnDevice<int> x(a), y(32);
    halves<<<1, 32>>>(x, y);
    return near(y.values(), wanted(32, [](int i) { return i < 16 ? 1240 : 961; }));
}
}  // namespace groups_of_one_warp

namespace ballots {
__global__ void vote(const int* x, unsigned* y) {
    const int t = threadIdx.x;
    const unsigned odd = __ballot_sync(0xffffffffu, x[t] % 2);
    const unsigned before = __popc(odd & ((1u << t) - 1)), first = __ffs(static_cast<int>(odd));
    const int any = __any_sync(0xffffffffu, x[t] == 33), all = __all_sync(0xffffffffu, x[t] < 100);
    y[t] = before + 100 * first + 10000 * static_cast<unsigned>(any) + 20000 * static_cast<unsigned>(all);
}
bool run() {
    std::vector<int> a(32);
    for (int i = 0; i < 32; ++i) a[i] = 3 * i + 2;
    OnDevice<int> x(a);
    OnDevice<unsigned> y(32);
    vote<<<1, 32>>>(x, y);
    return near(y.values(), wanted(32, [](int i) { return i / 2 + 200 + 20000; }));
}
}  // namespace ballots

namespace block_reduction {
__global__ void sum(const float* x, float* y, int n) {
    __shared__ float part[32];
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[i];
    v = sum_of_warp(v);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) part[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < static_cast<int>(blockDim.x) / 32 ? part[lane] : 0.0f;
        v = sum_of_warp(v);
        if (lane == 0) *y = v;
    }
}
bool run() {
    const auto a = numbers(1000);
    OnDevice<float> x(a), y(1);
    sum<<<1, 256>>>(x, y, 1000);
    double total = 0;
    for (const float v : a) total += v;
    return near(y.values(), wanted(1, [&](int) { return total; }));
}
}  // namespace block_reduction

namespace scan_of_warps {
__global__ void scan(const int* x, int* y) {
    __shared__ int totals[4];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = x[t];
    for (int distance = 1; distance < 32; distance *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, v, distance);
        if (lane >= distance) v += left;
    }
    if (lane == 31) totals[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; ++w) v += totals[w];
    y[t] = v;
}
bool run() {
    std::vector<int> a(128);
    for (int i = 0; i < 128; ++i) a[i] = i * 7 % 10;
    OnDevice<int> x(a), y(128);
    scan<<<1, 128>>>(x, y);
    int sum = 0;
    return near(y.values(), wanted(128, [&](int i) { return sum += a[i]; }));
}
}  // namespace scan_of_warps

namespace early_return_of_warps {
__global__ void sums(const float* x, float* y, int n) {
    if (static_cast<int>(threadIdx.x) / 32 * 32 >= n) return;
    const float v = sum_of_warp(static_cast<int>(threadIdx.x) < n ? x[threadIdx.x] : 0.0f);
    if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
bool run() {
    OnDevice<float> x(100, 1.0f), y(4);
    sums<<<1, 256>>>(x, y, 100);
    return near(y.values(), wanted(4, [](int i) { return i < 3 ? 32 : 4; }));
}
}  // namespace early_return_of_warps

namespace early_return_after_barrier {
__global__ void shift(const float* x, float* y, int n) {
    __shared__ float line[64];
    const int t = threadIdx.x;
    line[t] = x[t];
    __syncthreads();
    if (t % 3 != 0 || t >= n) return;
    y[t / 3] = line[(t + 1) % 64];
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(20);
    shift<<<1, 64>>>(x, y, 60);
    return near(y.values(), wanted(20, [&](int i) { return a[3 * i + 1]; }));
}
}  // namespace early_return_after_barrier

namespace incomplete_warp {
// With 40 threads the second warp has eight lanes, and its mask names only these.
__global__ void sums(const int* x, int* y) {
    const int t = threadIdx.x, lanes = t < 32 ? 32 : 8;
    const unsigned mask = t < 32 ? 0xffffffffu : 0xffu;
    int v = x[t];
    for (int k = lanes / 2; k > 0; k /= 2) v += __shfl_xor_sync(mask, v, k);
    y[t] = v;
}
bool run() {
    OnDevice<int> x(40, 2), y(40);
    sums<<<1, 40>>>(x, y);
    return near(y.values(), wanted(40, [](int i) { return i < 32 ? 64 : 16; }));
}
}  // namespace incomplete_warp

namespace warp_of_two_rows {
// The lanes of a warp are counted along x first, then y.
__global__ void ranks(int* y) {
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    y[t] = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.y), 31);
}
bool run() {
    OnDevice<int> y(64);
    ranks<<<1, dim3(16, 4)>>>(y);
    return near(y.values(), wanted(64, [](int i) { return i < 32 ? 1 : 3; }));
}
}  // namespace warp_of_two_rows

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"tree_with_syncwarp", tree_with_syncwarp::run},
                {"shuffles", shuffles::run},
                {"shuffles_of_width", shuffles_of_width::run},
                {"groups_of_one_warp", groups_of_one_warp::run},
                {"ballots", ballots::run},
                {"block_reduction", block_reduction::run},
                {"scan_of_warps", scan_of_warps::run},
                {"early_return_of_warps", early_return_of_warps::run},
                {"early_return_after_barrier", early_return_after_barrier::run},
                {"incomplete_warp", incomplete_warp::run},
                {"warp_of_two_rows", warp_of_two_rows::run}});
}
