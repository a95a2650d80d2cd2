// Programs of lectures, each with one classic mistake in the order of accesses: between the threads of a
// block, between blocks, or between the host and the device.

#include <algorithm>

#include "../corpus.h"

using namespace corpus;

namespace transpose_without_a_barrier {
__global__ void transpose(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[16][17];
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < rows && column < columns)
        tile[threadIdx.y][threadIdx.x] = x[row * columns + column];  // finds: race_in_block
    const int column_y = blockIdx.y * 16 + threadIdx.x, row_y = blockIdx.x * 16 + threadIdx.y;
    if (row_y < columns && column_y < rows)
        y[row_y * rows + column_y] = tile[threadIdx.x][threadIdx.y];  // finds: race_in_block
}
bool run() {
    const auto a = numbers(40 * 25);
    OnDevice<float> x(a), y(40 * 25);
    transpose<<<dim3(2, 3), dim3(16, 16)>>>(x, y, 40, 25);
    return near(y.values(), wanted(40 * 25, [&](int i) { return a[i % 40 * 25 + i / 40]; }), 0);
}
}  // namespace transpose_without_a_barrier

namespace next_tile_into_the_same_buffer {
// The next tile is loaded while the present one is used, but into the buffer that is being used.
constexpr int kTile = 8;
__global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ float As[2][kTile][kTile], Bs[2][kTile][kTile];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    float sum = 0;
    As[0][y][x] = A[row * n + x];
    Bs[0][y][x] = B[y * n + column];
    __syncthreads();
    for (int k = 0; k < n / kTile; ++k) {
        const int now = 0;
        if ((k + 1) * kTile < n) {
            As[now][y][x] = A[row * n + (k + 1) * kTile + x];       // finds: race_in_block
            Bs[now][y][x] = B[((k + 1) * kTile + y) * n + column];  // finds: race_in_block
        }
        for (int i = 0; i < kTile; ++i) sum += As[now][y][i] * Bs[now][i][x];  // finds: race_in_block
        __syncthreads();
    }
    C[row * n + column] = sum;
}
bool run() {
    OnDevice<float> A(numbers(256)), B(numbers(256, 2)), C(256);
    matmul<<<dim3(2, 2), dim3(kTile, kTile)>>>(A, B, C, 16);
    return true;
}
}  // namespace next_tile_into_the_same_buffer

namespace scan_without_a_barrier_on_the_way_down {
__global__ void scan(const int* x, int* y, int n) {
    extern __shared__ int tree[];
    const int t = threadIdx.x;
    tree[2 * t] = x[2 * t];
    tree[2 * t + 1] = x[2 * t + 1];
    int offset = 1;
    for (int d = n / 2; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    }
    if (t == 0) tree[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset /= 2;
        if (t < d) {
            const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            const int sum = tree[left];  // finds: race_in_block
            tree[left] = tree[right];    // finds: race_in_block
            tree[right] += sum;          // finds: race_in_block
        }
    }
    __syncthreads();
    y[2 * t] = tree[2 * t];
    y[2 * t + 1] = tree[2 * t + 1];
}
bool run() {
    OnDevice<int> x(std::vector<int>(128, 1)), y(128);
    scan<<<1, 64, 128 * sizeof(int)>>>(x, y, 128);
    return true;
}
}  // namespace scan_without_a_barrier_on_the_way_down

namespace histogram_that_counts_too_early {
// The bins are cleared, and no barrier makes the counting wait.
__global__ void count(const unsigned char* x, unsigned* bins, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;  // finds: race_in_block
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[x[i]], 1u);  // finds: race_in_block
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
bool run() {
    std::vector<unsigned char> a(1000);
    for (int i = 0; i < 1000; ++i) a[i] = static_cast<unsigned char>(7 * i);
    OnDevice<unsigned char> x(a);
    OnDevice<unsigned> bins(256, 0u);
    count<<<2, 256>>>(x, bins, 1000);
    return true;
}
}  // namespace histogram_that_counts_too_early

namespace bitonic_sort_with_few_barriers {
// There is a barrier for each k, but each j needs one.
__global__ void sort(int* x) {
    __shared__ int keys[64];
    const unsigned t = threadIdx.x;
    keys[t] = x[t];
    for (unsigned k = 2; k <= 64; k *= 2) {
        __syncthreads();
        for (unsigned j = k / 2; j > 0; j /= 2) {
            const unsigned other = t ^ j;
            if (other <= t) continue;
            const int a = keys[t], b = keys[other];  // finds: race_in_block
            if ((a > b) != ((t & k) == 0)) continue;
            keys[t] = b;      // finds: race_in_block
            keys[other] = a;  // finds: race_in_block
        }
    }
    __syncthreads();
    x[t] = keys[t];
}
bool run() {
    std::vector<int> a(64);
    for (int i = 0; i < 64; ++i) a[i] = i * 37 % 64;
    OnDevice<int> x(a);
    sort<<<1, 64>>>(x);
    return true;
}
}  // namespace bitonic_sort_with_few_barriers

namespace bodies_without_a_second_barrier {
__global__ void forces(const float2* bodies, float* force, int n) {
    __shared__ float2 tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];  // finds: race_in_block
        __syncthreads();
        for (int k = 0; k < 64; ++k) {
            const float distance = tile[k].x - bodies[i].x;  // finds: race_in_block
            sum +=
                tile[k].y * distance / (fabsf(distance * distance * distance) + 1);  // finds: race_in_block
        }
    }
    force[i] = sum;
}
bool run() {
    const auto a = numbers(256);
    std::vector<float2> bodies(128);
    for (int i = 0; i < 128; ++i) bodies[i] = make_float2(a[2 * i], a[2 * i + 1]);
    OnDevice<float2> d_bodies(bodies);
    OnDevice<float> force(128);
    forces<<<2, 64>>>(d_bodies, force, 128);
    return true;
}
}  // namespace bodies_without_a_second_barrier

namespace life_in_one_buffer {
__global__ void step(int* world, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    int neighbours = 0;
    for (int q = -1; q <= 1; ++q)
        for (int p = -1; p <= 1; ++p)
            if (p != 0 || q != 0) neighbours += world[(y + q) * n + x + p];  // finds: race_between_blocks
    const int alive = world[y * n + x];
    world[y * n + x] = neighbours == 3 || (alive == 1 && neighbours == 2);  // finds: race_between_blocks
}
bool run() {
    const int n = 18;
    std::vector<int> a(n * n);
    for (int i = 0; i < n * n; ++i) a[i] = numbers(n * n)[i] > 0;
    OnDevice<int> world(a);
    step<<<dim3(n, n), 1>>>(world, n);
    return true;
}
}  // namespace life_in_one_buffer

namespace dot_product_without_atomics {
__global__ void dot(const float* x, const float* y, float* result, int n) {
    __shared__ float cache[64];
    float sum = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        sum += x[i] * y[i];
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *result += cache[0];  // finds: race_between_blocks
}
bool run() {
    OnDevice<float> x(numbers(500)), y(numbers(500, 2)), result(1, 0.0f);
    dot<<<4, 64>>>(x, y, result, 500);
    return true;
}
}  // namespace dot_product_without_atomics

namespace lock_without_fences {
__device__ int locked = 0;
__global__ void append(int* length, int* list) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&locked, 0, 1) != 0) {
    }
    list[*length] = blockIdx.x;  // finds: race_between_blocks
    *length += 1;                // finds: race_between_blocks
    atomicExch(&locked, 0);
}
bool run() {
    OnDevice<int> length(1, 0), list(8);
    append<<<8, 32>>>(length, list);
    return true;
}
}  // namespace lock_without_fences

namespace queue_of_unvisited_nodes {
// Two threads can both see that a node was not visited.
__global__ void visit(const int* ends, int* visited, int* queue, int* count) {
    const int node = ends[blockIdx.x * blockDim.x + threadIdx.x];
    if (visited[node]) return;  // finds: race_between_blocks
    visited[node] = 1;          // finds: race_between_blocks
    queue[atomicAdd(count, 1)] = node;
}
bool run() {
    std::vector<int> a(64);
    for (int i = 0; i < 64; ++i) a[i] = i / 2 * 7 % 40;
    std::rotate(a.begin(), a.begin() + 1, a.end());
    OnDevice<int> ends(a), visited(40, 0), queue(64), count(1, 0);
    visit<<<64, 1>>>(ends, visited, queue, count);
    return true;
}
}  // namespace queue_of_unvisited_nodes

namespace normalised_before_the_mean_is_known {
__global__ void subtract_mean(float* X, int D) {
    __shared__ float mean;
    float* x = X + blockIdx.x * D;
    float sum = 0;
    for (int j = threadIdx.x; j < D; j += 32) sum += x[j];
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffffu, sum, k);
    if (threadIdx.x == 0) mean = sum / D;                    // finds: race_in_block
    for (int j = threadIdx.x; j < D; j += 32) x[j] -= mean;  // finds: race_in_block
}
bool run() {
    OnDevice<float> X(numbers(4 * 50));
    subtract_mean<<<4, 32>>>(X, 50);
    return true;
}
}  // namespace normalised_before_the_mean_is_known

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"transpose_without_a_barrier", transpose_without_a_barrier::run},
                {"next_tile_into_the_same_buffer", next_tile_into_the_same_buffer::run},
                {"scan_without_a_barrier_on_the_way_down", scan_without_a_barrier_on_the_way_down::run},
                {"histogram_that_counts_too_early", histogram_that_counts_too_early::run},
                {"bitonic_sort_with_few_barriers", bitonic_sort_with_few_barriers::run},
                {"bodies_without_a_second_barrier", bodies_without_a_second_barrier::run},
                {"life_in_one_buffer", life_in_one_buffer::run},
                {"dot_product_without_atomics", dot_product_without_atomics::run},
                {"lock_without_fences", lock_without_fences::run},
                {"queue_of_unvisited_nodes", queue_of_unvisited_nodes::run},
                {"normalised_before_the_mean_is_known", normalised_before_the_mean_is_known::run}});
}
