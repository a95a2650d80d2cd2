// Prefix sums, and what is built on them: compaction, histograms, sorting.

#include <algorithm>

#include "../corpus.h"

using namespace corpus;

/// The numbers 0 .. 999 in no order, some of them twice.
std::vector<int> integers(int count) {
    std::vector<int> result;
    for (const float v : numbers(count)) result.push_back(static_cast<int>((v + 1) * 500));
    return result;
}

/// The sums of x[0 .. i], or of x[0 .. i - 1].
std::vector<int> sums_of(const std::vector<int>& x, bool inclusive) {
    std::vector<int> result;
    int sum = 0;
    for (const int v : x) {
        result.push_back(inclusive ? sum + v : sum);
        sum += v;
    }
    return result;
}

namespace hillis_steele {
// One buffer: a barrier stands between the reads and the writes of a step.
__global__ void scan(const int* x, int* y) {
    __shared__ int sums[256];
    const int t = threadIdx.x;
    sums[t] = x[t];
    for (int distance = 1; distance < blockDim.x; distance <<= 1) {
        __syncthreads();
        const int left = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += left;
    }
    y[t] = sums[t];
}
bool run() {
    const auto a = integers(200);
    OnDevice<int> x(a), y(200);
    scan<<<1, 200>>>(x, y);
    return y.values() == sums_of(a, true);
}
}  // namespace hillis_steele

namespace blelloch {
// Up the tree and down again. Padding keeps the accesses of a warp in different banks.
#define PADDED(i) ((i) + ((i) >> 5))
__global__ void scan(const int* x, int* y, int n) {
    extern __shared__ int tree[];
    const int t = threadIdx.x;
    tree[PADDED(2 * t)] = x[2 * t];
    tree[PADDED(2 * t + 1)] = x[2 * t + 1];
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
        __syncthreads();
        if (t < d) tree[PADDED(offset * (2 * t + 2) - 1)] += tree[PADDED(offset * (2 * t + 1) - 1)];
    }
    if (t == 0) tree[PADDED(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int left = PADDED(offset * (2 * t + 1) - 1), right = PADDED(offset * (2 * t + 2) - 1);
            const int sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();
    y[2 * t] = tree[PADDED(2 * t)];
    y[2 * t + 1] = tree[PADDED(2 * t + 1)];
}
bool run() {
    const int n = 256;
    const auto a = integers(n);
    OnDevice<int> x(a), y(n);
    scan<<<1, n / 2, (n + n / 32) * sizeof(int)>>>(x, y, n);
    return y.values() == sums_of(a, false);
}
}  // namespace blelloch

namespace scan_in_three_launches {
__global__ void scan_of_blocks(const int* x, int* y, int* sums, int n) {
    __shared__ int of_warps[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = i < n ? x[i] : 0;
    for (int k = 1; k < 32; k *= 2) {
        const int left = __shfl_up_sync(0xffffffff, v, k);
        if (lane >= k) v += left;
    }
    if (lane == 31) of_warps[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; ++w) v += of_warps[w];
    if (i < n) y[i] = v;
    if (threadIdx.x == blockDim.x - 1 && sums != nullptr) sums[blockIdx.x] = v;
}
__global__ void add_sums_before(int* y, const int* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) y[i] += sums[blockIdx.x - 1];
}
bool run() {
    const int n = 1000, threads = 128, blocks = blocks_for(n, threads);
    const auto a = integers(n);
    OnDevice<int> x(a), y(n), sums(blocks);
    scan_of_blocks<<<blocks, threads>>>(x, y, sums, n);
    scan_of_blocks<<<1, threads>>>(sums, sums, nullptr, blocks);
    add_sums_before<<<blocks, threads>>>(y, sums, n);
    return y.values() == sums_of(a, true);
}
}  // namespace scan_in_three_launches

namespace decoupled_look_back {
// One launch. A block takes its number when it begins, so the blocks before it have begun, too. It looks back
// over their sums until it finds a block that knows the sum of all before it.
enum : unsigned { kNothing, kSumOfBlock, kSumOfAll };
__device__ unsigned next_block = 0;
__global__ void scan(const int* x, int* y, unsigned long long* states, int n) {
    __shared__ int places[128];
    __shared__ int number, before;
    const int t = threadIdx.x;
    if (t == 0) number = atomicAdd(&next_block, 1u);
    __syncthreads();
    const int i = number * blockDim.x + t;
    int v = i < n ? x[i] : 0;
    places[t] = v;
    for (int k = 1; k < blockDim.x; k *= 2) {
        __syncthreads();
        const int left = t >= k ? places[t - k] : 0;
        __syncthreads();
        places[t] = v += left;
    }
    if (t == blockDim.x - 1) {
        int sum = 0;
        if (number > 0) {
            atomicExch(&states[number], (unsigned long long)kSumOfBlock << 32 | (unsigned)v);
            for (int k = number - 1; k >= 0;) {
                const unsigned long long state = atomicAdd(&states[k], 0ull);
                const unsigned kind = state >> 32;
                if (kind == kNothing) continue;
                sum += (int)(unsigned)state;
                if (kind == kSumOfAll) break;
                --k;
            }
        }
        atomicExch(&states[number], (unsigned long long)kSumOfAll << 32 | (unsigned)(sum + v));
        before = sum;
    }
    __syncthreads();
    if (i < n) y[i] = before + v;
}
bool run() {
    const int n = 900, blocks = blocks_for(n, 128);
    const auto a = integers(n);
    const unsigned none = 0;
    cudaMemcpyToSymbol(next_block, &none, sizeof none);
    OnDevice<int> x(a), y(n);
    OnDevice<unsigned long long> states(blocks, 0ull);
    scan<<<blocks, 128>>>(x, y, states, n);
    return y.values() == sums_of(a, true);
}
}  // namespace decoupled_look_back

namespace compaction_by_votes {
// One atomic function for each warp reserves the places of all its lanes.
__global__ void keep_even(const int* x, int* y, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool kept = i < n && x[i] % 2 == 0;
    const unsigned votes = __ballot_sync(0xffffffffu, kept);
    const int leader = __ffs(votes) - 1;
    int first = 0;
    if (lane == leader) first = atomicAdd(count, __popc(votes));
    if (votes != 0) first = __shfl_sync(0xffffffffu, first, leader);
    if (kept) y[first + __popc(votes & ((1u << lane) - 1))] = x[i];
}
bool run() {
    const auto a = integers(500);
    OnDevice<int> x(a), y(500, -1), count(1, 0);
    keep_even<<<blocks_for(500, 96), 96>>>(x, y, count, 500);
    std::vector<int> expected, got = y.values();
    for (const int v : a)
        if (v % 2 == 0) expected.push_back(v);
    got.resize(count.values()[0]);
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    return got == expected;
}
}  // namespace compaction_by_votes

namespace histogram_of_bytes {
// A histogram for each warp in shared memory, and one of the grid in global memory.
template <int kWarps>
__global__ void count(const unsigned char* text, size_t length, unsigned* bins) {
    __shared__ unsigned mine[kWarps][256];
    unsigned* const all = &mine[0][0];
    for (int i = threadIdx.x; i < kWarps * 256; i += blockDim.x) all[i] = 0;
    __syncthreads();
    const size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x; i < length; i += stride)
        atomicAdd(&mine[threadIdx.x / 32][text[i]], 1u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < kWarps; ++w) sum += mine[w][bin];
        if (sum > 0) atomicAdd(bins + bin, sum);
    }
}
bool run() {
    std::vector<unsigned char> text(2000);
    std::vector<unsigned> expected(256, 0);
    for (int i = 0; i < 2000; ++i) ++expected[text[i] = static_cast<unsigned char>(i * i % 251)];
    OnDevice<unsigned char> d_text(text);
    OnDevice<unsigned> bins(256);
    cudaMemset(bins, 0, bins.bytes());
    count<3><<<4, 96>>>(d_text, text.size(), bins);
    return bins.values() == expected;
}
}  // namespace histogram_of_bytes

namespace bitonic_sort_of_a_block {
__global__ void sort(int* x) {
    __shared__ int keys[128];
    const unsigned t = threadIdx.x;
    keys[t] = x[t];
    __syncthreads();
    for (unsigned k = 2; k <= 128; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            const unsigned other = t ^ j;
            if (other > t && (keys[t] > keys[other]) == ((t & k) == 0)) {
                const int key = keys[t];
                keys[t] = keys[other];
                keys[other] = key;
            }
            __syncthreads();
        }
    x[t] = keys[t];
}
bool run() {
    auto a = integers(128);
    OnDevice<int> x(a);
    sort<<<1, 128>>>(x);
    std::sort(a.begin(), a.end());
    return x.values() == a;
}
}  // namespace bitonic_sort_of_a_block

namespace bitonic_sort_by_launches {
// Each launch is one step, so the launches are the barriers of the grid.
__global__ void step(int* keys, int j, int k) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
    if (other <= i) return;
    const int a = keys[i], b = keys[other];
    const bool up = (i & k) == 0;
    if (up ? a > b : a < b) {
        keys[i] = b;
        keys[other] = a;
    }
}
bool run() {
    const int n = 512;
    auto a = integers(n);
    int* d_keys;
    cudaMalloc(&d_keys, n * sizeof *d_keys);
    cudaMemcpy(d_keys, a.data(), n * sizeof *d_keys, cudaMemcpyHostToDevice);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) step<<<n / 64, 64>>>(d_keys, j, k);
    std::vector<int> got(n);
    cudaMemcpy(got.data(), d_keys, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_keys);
    std::sort(a.begin(), a.end());
    return got == a;
}
}  // namespace bitonic_sort_by_launches

namespace radix_sort {
// A stable split by each bit: zeros before ones. Votes give the places inside a warp.
__global__ void sort(unsigned* x, int bits) {
    __shared__ unsigned keys[256];
    __shared__ int zeros_of_warps[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned key = x[t];
    for (int b = 0; b < bits; ++b) {
        const bool zero = (key >> b & 1) == 0;
        const unsigned votes = __ballot_sync(~0u, zero);
        if (lane == 0) zeros_of_warps[warp] = __popc(votes);
        __syncthreads();
        int zeros = 0, before = __popc(votes & ((1u << lane) - 1));
        for (int w = 0; w < 8; ++w) {
            if (w < warp) before += zeros_of_warps[w];
            zeros += zeros_of_warps[w];
        }
        keys[zero ? before : zeros + t - before] = key;
        __syncthreads();
        key = keys[t];
    }
    x[t] = key;
}
bool run() {
    std::vector<unsigned> a;
    for (const int v : integers(256)) a.push_back(v);
    OnDevice<unsigned> x(a);
    sort<<<1, 256>>>(x, 10);
    std::sort(a.begin(), a.end());
    return x.values() == a;
}
}  // namespace radix_sort

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"hillis_steele", hillis_steele::run},
                {"blelloch", blelloch::run},
                {"scan_in_three_launches", scan_in_three_launches::run},
                {"decoupled_look_back", decoupled_look_back::run},
                {"compaction_by_votes", compaction_by_votes::run},
                {"histogram_of_bytes", histogram_of_bytes::run},
                {"bitonic_sort_of_a_block", bitonic_sort_of_a_block::run},
                {"bitonic_sort_by_launches", bitonic_sort_by_launches::run},
                {"radix_sort", radix_sort::run}});
}
