// Cooperative groups: the block and its tiles.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../corpus.h"

using namespace corpus;
namespace cg = cooperative_groups;

namespace block_as_a_group {
__global__ void backwards(const float* x, float* y) {
    const cg::thread_block block = cg::this_thread_block();
    __shared__ float line[64];
    const unsigned rank = block.thread_rank(), first = block.group_index().x * block.size();
    line[rank] = x[first + rank];
    block.sync();
    y[first + rank] = line[block.size() - 1 - rank] + static_cast<float>(block.thread_index().y);
}
bool run() {
    const auto a = numbers(128);
    OnDevice<float> x(a), y(128);
    backwards<<<2, dim3(16, 4)>>>(x, y);
    return near(y.values(), wanted(128, [&](int i) { return a[i / 64 * 64 + 63 - i % 64] + i % 64 / 16; }));
}
}  // namespace block_as_a_group

namespace reduce_of_tiles {
__global__ void reduce(const float* x, float* y) {
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto tile = cg::tiled_partition<8>(warp);
    const float v = x[block.thread_rank()];
    const float sum = cg::reduce(warp, v, cg::plus<float>()),
                best = cg::reduce(tile, v, cg::greater<float>()),
                least = cg::reduce(tile, v, cg::less<float>());
    y[block.thread_rank()] = sum + 10 * best + 100 * least;
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(64);
    reduce<<<1, 64>>>(x, y);
    return near(y.values(), wanted(64, [&](int i) {
                    double sum = 0, best = -2, least = 2;
                    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) sum += a[k];
                    for (int k = i / 8 * 8; k < i / 8 * 8 + 8; ++k) {
                        best = std::fmax(best, static_cast<double>(a[k]));
                        least = std::fmin(least, static_cast<double>(a[k]));
                    }
                    return sum + 10 * best + 100 * least;
                }));
}
}  // namespace reduce_of_tiles

namespace shuffles_of_tiles {
template <class Tile>
__device__ int sum_of(const Tile& tile, int v) {
    for (unsigned k = tile.size() / 2; k > 0; k /= 2) v += tile.shfl_down(v, k);
    return tile.shfl(v, 0);
}
__global__ void votes(const int* x, int* y) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    const int v = x[block.thread_rank()];
    int result = sum_of(tile, v);
    if (tile.any(v == 40)) result += 1000;
    if (tile.all(v < 40)) result += 2000;
    if (tile.ballot(v % 16 == 3) == 8u) result += 4000;
    tile.sync();
    result +=
        10000 * static_cast<int>(tile.meta_group_rank()) + 100000 * static_cast<int>(tile.meta_group_size());
    result += tile.shfl_up(0, 1) + tile.shfl_xor(0, 1) + static_cast<int>(tile.num_threads()) - 16;
    y[block.thread_rank()] = result;
}
bool run() {
    std::vector<int> a(64);
    for (int i = 0; i < 64; ++i) a[i] = i;
    OnDevice<int> x(a), y(64);
    votes<<<1, 64>>>(x, y);
    return near(y.values(), wanted(64, [](int i) {
                    const int tile = i / 16;
                    return 16 * (16 * tile) + 120 + (tile == 2 ? 1000 : 0) + (tile < 2 ? 2000 : 0) + 4000 +
                           10000 * tile + 400000;
                }));
}
}  // namespace shuffles_of_tiles

namespace any_group {
__device__ float sum_of(const cg::thread_group& group, float* places, float v) {
    const int rank = static_cast<int>(group.thread_rank());
    for (int k = static_cast<int>(group.size()) / 2; k > 0; k /= 2) {
        places[rank] = v;
        group.sync();
        if (rank < k) v += places[rank + k];
        group.sync();
    }
    return v;
}
__global__ void sums(const float* x, float* y) {
    __shared__ float places[64];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned rank = block.thread_rank();
    const float whole = sum_of(block, places, x[rank]);
    block.sync();
    const cg::thread_group tile = cg::tiled_partition(block, 16);
    const float part = sum_of(tile, places + rank / 16 * 16, x[rank]);
    if (rank == 0) y[4] = whole;
    if (tile.thread_rank() == 0) y[rank / 16] = part;
}
bool run() {
    const auto a = numbers(64);
    OnDevice<float> x(a), y(5);
    sums<<<1, 64>>>(x, y);
    return near(y.values(), wanted(5, [&](int i) {
                    double sum = 0;
                    for (int k = i < 4 ? 16 * i : 0; k < (i < 4 ? 16 * i + 16 : 64); ++k) sum += a[k];
                    return sum;
                }));
}
}  // namespace any_group

namespace shuffles_of_vectors {
__global__ void from_above(const float4* x, float4* y) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    y[threadIdx.x] = tile.shfl_down(x[threadIdx.x], 1);
}
bool run() {
    const auto a = numbers(4 * 64);
    OnDevice<float> x(a), y(4 * 64);
    from_above<<<1, 64>>>(reinterpret_cast<const float4*>(static_cast<float*>(x)),
                          reinterpret_cast<float4*>(static_cast<float*>(y)));
    return near(y.values(), wanted(4 * 64, [&](int i) { return a[i / 4 % 16 == 15 ? i : i + 4]; }));
}
}  // namespace shuffles_of_vectors

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"block_as_a_group", block_as_a_group::run},
                {"reduce_of_tiles", reduce_of_tiles::run},
                {"shuffles_of_tiles", shuffles_of_tiles::run},
                {"shuffles_of_vectors", shuffles_of_vectors::run},
                {"any_group", any_group::run}});
}
