// Cooperative groups of the lanes that run together, and scans.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../corpus.h"

using namespace corpus;
namespace cg = cooperative_groups;

namespace one_atomic_for_all {
__device__ int add_for_all(int* counter) {
    const cg::coalesced_group here = cg::coalesced_threads();
    int before = 0;
    if (here.thread_rank() == 0) before = atomicAdd(counter, static_cast<int>(here.size()));
    return here.shfl(before, 0) + static_cast<int>(here.thread_rank());
}
__global__ void filter(const int* x, int* y, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 40) y[add_for_all(count)] = x[i];
}
bool run() {
    std::vector<int> a(256);
    int large = 0, total = 0;
    for (int i = 0; i < 256; ++i) {
        a[i] = i * 7 % 64;
        large += a[i] > 40;
        total += a[i] > 40 ? a[i] : 0;
    }
    OnDevice<int> x(a), y(256, 0), count(1, 0);
    filter<<<4, 64>>>(x, y, count);
    int sum = 0;
    for (const int v : y.values()) sum += v;
    return count.values()[0] == large && sum == total;
}
}  // namespace one_atomic_for_all

namespace functions_of_a_coalesced_group {
__global__ void work(int* y) {
    const int t = threadIdx.x;
    if (t % 3 != 1) return;
    const auto group = cg::coalesced_threads();
    const int rank = static_cast<int>(group.thread_rank());
    int* const mine = y + 6 * rank;
    mine[0] = group.shfl_down(10 * rank, 1);
    mine[1] = static_cast<int>(group.ballot(rank < 2));
    mine[2] = cg::reduce(group, rank, cg::plus<int>());
    mine[3] = cg::inclusive_scan(group, 1);
    mine[4] = cg::exclusive_scan(group, rank, cg::plus<int>());
    const auto half = cg::labeled_partition(group, rank % 2);
    mine[5] = static_cast<int>(half.size()) * 100 + static_cast<int>(half.thread_rank());
}
bool run() {
    OnDevice<int> y(66, -1);
    work<<<1, 32>>>(y);
    return near(y.values(), wanted(66, [](int i) {
                    const int rank = i / 6;
                    const int values[] = {
                        rank < 10 ? 10 * rank + 10 : 100,      3, 55, rank + 1, rank * (rank - 1) / 2,
                        (rank % 2 == 0 ? 600 : 500) + rank / 2};
                    return values[i % 6];
                }));
}
}  // namespace functions_of_a_coalesced_group

namespace scan_of_tiles {
__global__ void scan(const int* x, int* inclusive, int* exclusive) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int t = threadIdx.x;
    inclusive[t] = cg::inclusive_scan(tile, x[t], cg::plus<int>());
    exclusive[t] = cg::exclusive_scan(tile, x[t]);
}
bool run() {
    std::vector<int> a(64), before(64);
    for (int i = 0; i < 64; ++i) a[i] = i % 5;
    for (int i = 0; i < 64; ++i) before[i] = i % 16 == 0 ? 0 : before[i - 1] + a[i - 1];
    OnDevice<int> x(a), inclusive(64), exclusive(64);
    scan<<<1, 64>>>(x, inclusive, exclusive);
    return near(exclusive.values(), before) &&
           near(inclusive.values(), wanted(64, [&](int i) { return before[i] + a[i]; }));
}
}  // namespace scan_of_tiles

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"one_atomic_for_all", one_atomic_for_all::run},
                {"functions_of_a_coalesced_group", functions_of_a_coalesced_group::run},
                {"scan_of_tiles", scan_of_tiles::run}});
}
