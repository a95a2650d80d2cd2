// Simulations and graphs: steps that need each other's results, random numbers, queues and locks.

#include <utility>

#include "../corpus.h"

using namespace corpus;

namespace n_body {
// Every body feels all others. A block reads them in tiles of its own size.
__global__ void accelerations(const float4* bodies, float3* result, int n) {
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 a = {0, 0, 0};
    for (int first = 0; first < n; first += blockDim.x) {
        const int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < blockDim.x; ++k) {
            const float x = tile[k].x - me.x, y = tile[k].y - me.y, z = tile[k].z - me.z;
            const float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
            const float pull = tile[k].w * inverse * inverse * inverse;
            a.x += pull * x;
            a.y += pull * y;
            a.z += pull * z;
        }
        __syncthreads();
    }
    if (i < n) result[i] = a;
}
bool run() {
    const int n = 75;
    const auto a = numbers(4 * n);
    std::vector<float4> bodies(n);
    for (int i = 0; i < n; ++i)
        bodies[i] = make_float4(a[4 * i], a[4 * i + 1], a[4 * i + 2], 1 + a[4 * i + 3]);
    OnDevice<float4> d_bodies(bodies);
    OnDevice<float3> result(n);
    accelerations<<<3, 32, 32 * sizeof(float4)>>>(d_bodies, result, n);
    std::vector<float> got;
    for (const float3& v : result.values()) got.push_back(v.x + 10 * v.y + 100 * v.z);
    return near(
        got,
        wanted(n,
               [&](int i) {
                   double sum = 0;
                   for (const float4& b : bodies) {
                       const double x = b.x - bodies[i].x, y = b.y - bodies[i].y, z = b.z - bodies[i].z;
                       sum += b.w * (x + 10 * y + 100 * z) / std::pow(x * x + y * y + z * z + 0.01, 1.5);
                   }
                   return sum;
               }),
        1e-3);
}
}  // namespace n_body

namespace game_of_life {
// The world is a torus. The two buffers change their roles after each step.
__global__ void step(const unsigned char* now, unsigned char* next, int width, int height) {
    __shared__ unsigned char tile[10][18];
    const int first_x = blockIdx.x * 16 - 1, first_y = blockIdx.y * 8 - 1;
    for (int e = threadIdx.y * 16 + threadIdx.x; e < 180; e += 128) {
        const int x = (first_x + e % 18 + width) % width, y = (first_y + e / 18 + height) % height;
        tile[e / 18][e % 18] = now[y * width + x];
    }
    __syncthreads();
    const int x = first_x + 1 + threadIdx.x, y = first_y + 1 + threadIdx.y;
    if (x >= width || y >= height) return;
    int neighbours = -tile[threadIdx.y + 1][threadIdx.x + 1];
    for (int q = 0; q < 3; ++q)
        for (int p = 0; p < 3; ++p) neighbours += tile[threadIdx.y + q][threadIdx.x + p];
    const bool alive = tile[threadIdx.y + 1][threadIdx.x + 1];
    next[y * width + x] = neighbours == 3 || (alive && neighbours == 2);
}
bool run() {
    const int width = 40, height = 21, size = width * height;
    std::vector<unsigned char> world(size), next(size);
    for (int i = 0; i < size; ++i) world[i] = numbers(size)[i] > 0.2f;
    unsigned char *now_d, *next_d;
    cudaMalloc(&now_d, size);
    cudaMalloc(&next_d, size);
    cudaMemcpy(now_d, world.data(), size, cudaMemcpyHostToDevice);
    for (int t = 0; t < 5; ++t) {
        step<<<dim3(3, 3), dim3(16, 8)>>>(now_d, next_d, width, height);
        std::swap(now_d, next_d);
        for (int i = 0; i < size; ++i) {
            int neighbours = 0;
            for (int k = 0; k < 9; ++k)
                neighbours += k != 4 ? world[(i / width + k / 3 - 1 + height) % height * width +
                                             (i % width + k % 3 - 1 + width) % width]
                                     : 0;
            next[i] = neighbours == 3 || (world[i] && neighbours == 2);
        }
        world.swap(next);
    }
    cudaMemcpy(next.data(), now_d, size, cudaMemcpyDeviceToHost);
    cudaFree(now_d);
    cudaFree(next_d);
    return next == world;
}
}  // namespace game_of_life

namespace monte_carlo {
// Random numbers from a hash of the thread's number and the sample's, so no thread keeps a state.
__host__ __device__ inline unsigned hash(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}
__host__ __device__ inline bool in_circle(unsigned sample) {
    const float x = (hash(2 * sample) >> 8) / 16777216.0f, y = (hash(2 * sample + 1) >> 8) / 16777216.0f;
    return x * x + y * y <= 1;
}
__global__ void pi(unsigned long long* hits, int samples) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = 0;
    for (int s = 0; s < samples; ++s) mine += in_circle(thread * samples + s);
    for (int k = 16; k > 0; k /= 2) mine += __shfl_down_sync(0xffffffff, mine, k);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, (unsigned long long)mine);
}
bool run() {
    unsigned long long* hits;
    unsigned long long result = 0, expected = 0;
    cudaMalloc(&hits, sizeof *hits);
    cudaMemset(hits, 0, sizeof *hits);
    pi<<<4, 64>>>(hits, 20);
    cudaMemcpy(&result, hits, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(hits);
    for (unsigned s = 0; s < 256 * 20; ++s) expected += in_circle(s);
    return std::abs((long long)(result - expected)) <= 2 && std::fabs(4.0 * result / 5120 - M_PI) < 0.1;
}
}  // namespace monte_carlo

namespace heat_until_it_rests {
// Jacobi steps, until no point changes by more than a limit. The largest change is kept as an integer,
// because the bits of positive floats are ordered like the numbers.
__global__ void step(const float* u, float* next, int* change, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const int i = y * n + x;
    next[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n]);
    atomicMax(change, __float_as_int(fabsf(next[i] - u[i])));
}
bool run() {
    const int n = 12;
    std::vector<float> a(n * n, 0.0f);
    for (int i = 0; i < n; ++i) a[i * n] = a[i * n + n - 1] = a[i] = a[(n - 1) * n + i] = i % n + 1.0f;
    OnDevice<float> u(a), next(a);
    OnDevice<int> change(1);
    float *from = u, *to = next;
    int steps = 0;
    for (float largest = 1; largest > 1e-3f && steps < 500; ++steps) {
        cudaMemset(change, 0, sizeof(int));
        step<<<dim3(2, 2), dim3(8, 8)>>>(from, to, change, n);
        cudaMemcpy(&largest, change, sizeof largest, cudaMemcpyDeviceToHost);
        std::swap(from, to);
    }
    const auto got = steps % 2 == 0 ? u.values() : next.values();
    std::vector<float> b = a;
    for (int t = 0; t < steps; ++t, a = b)
        for (int i = n; i < n * (n - 1); ++i)
            if (i % n > 0 && i % n < n - 1) b[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
    return steps > 20 && steps < 500 && near(got, b);
}
}  // namespace heat_until_it_rests

namespace breadth_first_search {
// A launch for each level. The threads that reach a node first put it into the next queue.
__global__ void visit(const int* begins, const int* ends, int* level, const int* queue, int count, int* next,
                      int* next_count, int depth) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count) return;
    const int node = queue[t];
    for (int e = begins[node]; e < begins[node + 1]; ++e)
        if (atomicCAS(&level[ends[e]], -1, depth) == -1) next[atomicAdd(next_count, 1)] = ends[e];
}
bool run() {
    const int n = 200;
    std::vector<int> begins{0}, ends, expected(n, -1);
    for (int i = 0; i < n; ++i) {
        for (int k = 1; k <= 3; ++k) ends.push_back((i * (k + 1) + 7 * k) % n);
        begins.push_back(static_cast<int>(ends.size()));
    }
    OnDevice<int> d_begins(begins), d_ends(ends), level(expected), first(n), second(n), size(1);
    int *queue = first, *next = second, count = 1, depth = 0;
    const int zero = 0;
    cudaMemcpy(queue, &zero, sizeof zero, cudaMemcpyHostToDevice);
    cudaMemcpy(level, &zero, sizeof zero, cudaMemcpyHostToDevice);
    while (count > 0) {
        cudaMemcpy(size, &zero, sizeof zero, cudaMemcpyHostToDevice);
        visit<<<blocks_for(count, 32), 32>>>(d_begins, d_ends, level, queue, count, next, size, ++depth);
        cudaMemcpy(&count, size, sizeof count, cudaMemcpyDeviceToHost);
        std::swap(queue, next);
    }
    std::vector<int> line{0};
    expected[0] = 0;
    for (std::size_t k = 0; k < line.size(); ++k)
        for (int e = begins[line[k]]; e < begins[line[k] + 1]; ++e)
            if (expected[ends[e]] < 0) {
                expected[ends[e]] = expected[line[k]] + 1;
                line.push_back(ends[e]);
            }
    return level.values() == expected;
}
}  // namespace breadth_first_search

namespace mutex_of_blocks {
// One thread of each block takes the lock. The fences order the memory that the lock protects.
struct Lock {
    int* state;
    __device__ void lock() {
        while (atomicCAS(state, 0, 1) != 0) {
        }
        __threadfence();
    }
    __device__ void unlock() {
        __threadfence();
        atomicExch(state, 0);
    }
};
__global__ void append(Lock lock, int* length, int* list) {
    if (threadIdx.x != 0) return;
    lock.lock();
    list[*length] = blockIdx.x;
    *length += 1;
    lock.unlock();
}
bool run() {
    OnDevice<int> state(1, 0), length(1, 0), list(20, -1);
    append<<<20, 32>>>(Lock{state}, length, list);
    int sum = 0;
    for (const int block : list.values()) sum += 1 << block;
    return length.values()[0] == 20 && sum == (1 << 20) - 1;
}
}  // namespace mutex_of_blocks

namespace producer_and_consumers {
// Warp 0 loads the next chunk while the other warps work on the present one.
constexpr int kChunk = 64;
__global__ void sums(const float* x, float* y, int chunks) {
    __shared__ float buffer[2][kChunk];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int stage = 0; stage <= chunks; ++stage) {
        if (warp == 0) {
            for (int k = lane; stage < chunks && k < kChunk; k += 32)
                buffer[stage % 2][k] = x[stage * kChunk + k];
        } else if (stage > 0) {
            sum += buffer[(stage - 1) % 2][(warp - 1) * 32 + lane];
        }
        __syncthreads();
    }
    if (warp > 0) y[(warp - 1) * 32 + lane] = sum;
}
bool run() {
    const auto a = numbers(5 * kChunk);
    OnDevice<float> x(a), y(kChunk);
    sums<<<1, 96>>>(x, y, 5);
    return near(y.values(), wanted(kChunk, [&](int i) {
                    double sum = 0;
                    for (int c = 0; c < 5; ++c) sum += a[c * kChunk + i];
                    return sum;
                }));
}
}  // namespace producer_and_consumers

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"n_body", n_body::run},
                {"game_of_life", game_of_life::run},
                {"monte_carlo", monte_carlo::run},
                {"heat_until_it_rests", heat_until_it_rests::run},
                {"breadth_first_search", breadth_first_search::run},
                {"mutex_of_blocks", mutex_of_blocks::run},
                {"producer_and_consumers", producer_and_consumers::run}});
}
