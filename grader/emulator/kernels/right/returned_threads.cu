// Threads that return early. Since compute capability 7.0 neither barriers nor warp functions wait for them
// (CUDA C++ Programming Guide, "Independent Thread Scheduling").

#include <algorithm>

#include "../corpus.h"

using namespace corpus;

namespace barrier_after_return {
__global__ void backwards(const float* x, float* y, int n) {
    __shared__ float line[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int count = min(64, n - static_cast<int>(blockIdx.x) * 64);
    line[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = line[count - 1 - threadIdx.x];
}
bool run() {
    const auto a = numbers(100);
    OnDevice<float> x(a), y(100);
    backwards<<<2, 64>>>(x, y, 100);
    return near(y.values(), wanted(100, [&](int i) { return i < 64 ? a[63 - i] : a[163 - i]; }));
}
}  // namespace barrier_after_return

namespace votes_after_return {
__global__ void vote(int* y, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    __syncwarp();
    y[5 * i] = static_cast<int>(__ballot_sync(0xffffffffu, i % 2));
    y[5 * i + 1] = __all_sync(0xffffffffu, i < n) + 2 * __any_sync(0xffffffffu, i == 1);
    y[5 * i + 2] = __reduce_add_sync(0xffffffffu, 1);
    y[5 * i + 3] = __shfl_sync(0xffffffffu, 10 * i, 3);
    y[5 * i + 4] = static_cast<int>(__match_any_sync(0xffffffffu, i / 4));
}
bool run() {
    OnDevice<int> y(100);
    vote<<<1, 32>>>(y, 20);
    return near(y.values(), wanted(100, [](int i) {
                    const int t = i / 5, values[] = {0xaaaaa, 3, 20, 30, 0xf << t / 4 * 4};
                    return values[i % 5];
                }));
}
}  // namespace votes_after_return

namespace lanes_that_are_here {
// Lanes in one branch add up their requests, and the first of them calls the atomic function for all.
__global__ void append_odd(const int* x, int* y, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] % 2 != 0) {
        const unsigned here = __activemask();
        const int lane = threadIdx.x % 32, first = __ffs(here) - 1;
        int start = 0;
        if (lane == first) start = atomicAdd(count, __popc(here));
        start = __shfl_sync(here, start, first);
        y[start + __popc(here & ((1u << lane) - 1))] = x[i];
    }
}
bool run() {
    std::vector<int> a(256), odd;
    for (int i = 0; i < 256; ++i) a[i] = i * 7 % 64;
    OnDevice<int> x(a), y(256, 0), count(1, 0);
    append_odd<<<4, 64>>>(x, y, count);
    std::vector<int> got = y.values();
    for (const int v : a)
        if (v % 2 != 0) odd.push_back(v);
    got.resize(odd.size());
    std::sort(got.begin(), got.end());
    std::sort(odd.begin(), odd.end());
    return count.values()[0] == static_cast<int>(odd.size()) && near(got, odd);
}
}  // namespace lanes_that_are_here

namespace both_branches_ask {
__global__ void lanes(unsigned* y) {
    if (threadIdx.x % 3 == 0)
        y[threadIdx.x] = __activemask();
    else
        y[threadIdx.x] = __activemask();
}
bool run() {
    OnDevice<unsigned> y(32);
    lanes<<<1, 32>>>(y);
    return near(y.values(), wanted(32, [](int i) { return i % 3 == 0 ? 0x49249249u : ~0x49249249u; }));
}
}  // namespace both_branches_ask

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"barrier_after_return", barrier_after_return::run},
                {"votes_after_return", votes_after_return::run},
                {"lanes_that_are_here", lanes_that_are_here::run},
                {"both_branches_ask", both_branches_ask::run}});
}
