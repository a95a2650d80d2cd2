// Products, transposition, sparse matrices, convolutions.

#include "../corpus.h"

using namespace corpus;

/// Element i of A B, where A has `inner` columns and B has `columns`.
double product(const std::vector<float>& a, const std::vector<float>& b, int inner, int columns, int i) {
    double sum = 0;
    for (int k = 0; k < inner; ++k)
        sum += static_cast<double>(a[i / columns * inner + k]) * b[k * columns + i % columns];
    return sum;
}

namespace matmul_by_registers {
// A block computes a tile of 32 x 32, each of its 64 threads 4 x 4 of it, with the outer products of
// registers.
constexpr int kBlock = 32, kDepth = 8, kThread = 4;
__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[kDepth][kBlock], Bs[kDepth][kBlock];
    const int t = threadIdx.x, row = t / (kBlock / kThread) * kThread,
              column = t % (kBlock / kThread) * kThread;
    const int first_row = blockIdx.y * kBlock, first_column = blockIdx.x * kBlock;
    float sum[kThread][kThread] = {{0.0f}}, a[kThread], b[kThread];
    for (int first = 0; first < K; first += kDepth) {
        for (int e = t; e < kBlock * kDepth; e += blockDim.x) {
            const int i = first_row + e / kDepth, k = first + e % kDepth;
            As[e % kDepth][e / kDepth] = i < M && k < K ? A[i * K + k] : 0.0f;
            const int l = first + e / kBlock, j = first_column + e % kBlock;
            Bs[e / kBlock][e % kBlock] = l < K && j < N ? B[l * N + j] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < kDepth; ++k) {
            for (int i = 0; i < kThread; ++i) a[i] = As[k][row + i];
            for (int j = 0; j < kThread; ++j) b[j] = Bs[k][column + j];
            for (int i = 0; i < kThread; ++i)
                for (int j = 0; j < kThread; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < kThread; ++i)
        for (int j = 0; j < kThread; ++j)
            if (first_row + row + i < M && first_column + column + j < N)
                C[(first_row + row + i) * N + first_column + column + j] = sum[i][j];
}
bool run() {
    const int M = 45, N = 70, K = 19;
    const auto a = numbers(M * K), b = numbers(K * N, 2);
    OnDevice<float> A(a), B(b), C(M * N);
    matmul<<<dim3(blocks_for(N, kBlock), blocks_for(M, kBlock)), 64>>>(A, B, C, M, N, K);
    return near(C.values(), wanted(M * N, [&](int i) { return product(a, b, K, N, i); }), 1e-4);
}
}  // namespace matmul_by_registers

namespace matmul_by_quads {
// Global and shared memory are read as float4. The sizes are multiples of the tile.
constexpr int kTile = 16;
__global__ void matmul(const float* A, const float* B, float* C, int N, int K) {
    __shared__ float As[kTile * kTile], Bs[kTile * kTile];
    const int row = threadIdx.x / 4, quad = threadIdx.x % 4;
    A += blockIdx.y * kTile * K;
    B += blockIdx.x * kTile;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int first = 0; first < K; first += kTile) {
        reinterpret_cast<float4*>(As)[row * 4 + quad] =
            *reinterpret_cast<const float4*>(&A[row * K + first + 4 * quad]);
        reinterpret_cast<float4*>(&Bs[row * kTile])[quad] =
            *reinterpret_cast<const float4*>(&B[(first + row) * N + 4 * quad]);
        __syncthreads();
        for (int k = 0; k < kTile; ++k) {
            const float a = As[row * kTile + k];
            const float4 b = *reinterpret_cast<const float4*>(&Bs[k * kTile + 4 * quad]);
            sum.x += a * b.x;
            sum.y += a * b.y;
            sum.z += a * b.z;
            sum.w += a * b.w;
        }
        __syncthreads();
    }
    *reinterpret_cast<float4*>(&C[(blockIdx.y * kTile + row) * N + blockIdx.x * kTile + 4 * quad]) = sum;
}
bool run() {
    const int M = 32, N = 48, K = 64;
    const auto a = numbers(M * K), b = numbers(K * N, 2);
    OnDevice<float> A(a), B(b), C(M * N);
    matmul<<<dim3(N / kTile, M / kTile), 64>>>(A, B, C, N, K);
    return near(C.values(), wanted(M * N, [&](int i) { return product(a, b, K, N, i); }), 1e-4);
}
}  // namespace matmul_by_quads

namespace matmul_with_two_buffers {
// While one pair of tiles is used, the next one is loaded, so one barrier is enough for each tile.
template <int kTile>
__global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ float As[2][kTile][kTile], Bs[2][kTile][kTile + 1];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
    auto load = [&](int stage, int first) {
        As[stage][y][x] = row < n && first + x < n ? A[row * n + first + x] : 0;
        Bs[stage][y][x] = first + y < n && column < n ? B[(first + y) * n + column] : 0;
    };
    float sum = 0;
    int stage = 0;
    load(0, 0);
    __syncthreads();
    for (int first = 0; first < n; first += kTile) {
        if (first + kTile < n) load(stage ^ 1, first + kTile);
        for (int k = 0; k < kTile; ++k) sum += As[stage][y][k] * Bs[stage][k][x];
        stage ^= 1;
        __syncthreads();
    }
    if (row < n && column < n) C[row * n + column] = sum;
}
bool run() {
    const int n = 43;
    const auto a = numbers(n * n), b = numbers(n * n, 2);
    OnDevice<float> A(a), B(b), C(n * n);
    matmul<8><<<dim3(6, 6), dim3(8, 8)>>>(A, B, C, n);
    return near(C.values(), wanted(n * n, [&](int i) { return product(a, b, n, n, i); }), 1e-4);
}
}  // namespace matmul_with_two_buffers

namespace transpose_in_place {
// A block exchanges the tiles (i, j) and (j, i) of a square matrix.
__global__ void transpose(float* x, int n) {
    __shared__ float above[16][17], below[16][17];
    if (blockIdx.x < blockIdx.y) return;
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    const int row_below = blockIdx.x * 16 + threadIdx.y, column_below = blockIdx.y * 16 + threadIdx.x;
    if (row < n && column < n) above[threadIdx.y][threadIdx.x] = x[row * n + column];
    if (row_below < n && column_below < n) below[threadIdx.y][threadIdx.x] = x[row_below * n + column_below];
    __syncthreads();
    if (row_below < n && column_below < n) x[row_below * n + column_below] = above[threadIdx.x][threadIdx.y];
    if (blockIdx.x > blockIdx.y && row < n && column < n)
        x[row * n + column] = below[threadIdx.x][threadIdx.y];
}
bool run() {
    const int n = 53;
    const auto a = numbers(n * n);
    OnDevice<float> x(a);
    transpose<<<dim3(4, 4), dim3(16, 16)>>>(x, n);
    return near(x.values(), wanted(n * n, [&](int i) { return a[i % n * n + i / n]; }), 0);
}
}  // namespace transpose_in_place

namespace sparse_rows {
// A sparse matrix by rows: first with a thread for each row, then with a warp.
struct Sparse {
    const int *begins, *columns;
    const float* values;
    int rows;
};
__global__ void by_threads(Sparse A, const float* x, float* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= A.rows) return;
    float sum = 0;
    for (int e = A.begins[row]; e < A.begins[row + 1]; ++e) sum += A.values[e] * x[A.columns[e]];
    y[row] = sum;
}
__global__ void by_warps(Sparse A, const float* __restrict__ x, float* y) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
    if (row >= A.rows) return;
    float sum = 0;
    for (int e = A.begins[row] + lane, end = A.begins[row + 1]; e < end; e += 32)
        sum += A.values[e] * __ldg(x + A.columns[e]);
    for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffffu, sum, k);
    if (lane == 0) y[row] = sum;
}
bool run() {
    const int n = 90;
    std::vector<int> begins{0}, columns;
    for (int i = 0; i < n; ++i) {
        for (int j = i % 7; j < n; j += 1 + i % 11) columns.push_back(j);
        begins.push_back(static_cast<int>(columns.size()));
    }
    const auto a = numbers(static_cast<int>(columns.size())), b = numbers(n, 2);
    OnDevice<int> d_begins(begins), d_columns(columns);
    OnDevice<float> values(a), x(b), y(n), z(n);
    const Sparse A{d_begins, d_columns, values, n};
    by_threads<<<blocks_for(n, 32), 32>>>(A, x, y);
    by_warps<<<blocks_for(32 * n, 128), 128>>>(A, x, z);
    const auto expected = wanted(n, [&](int i) {
        double sum = 0;
        for (int e = begins[i]; e < begins[i + 1]; ++e) sum += static_cast<double>(a[e]) * b[columns[e]];
        return sum;
    });
    return near(y.values(), expected, 1e-4) && near(z.values(), expected, 1e-4);
}
}  // namespace sparse_rows

namespace separable_convolution {
// Rows first, then columns. A block loads its tile and the borders that it needs.
constexpr int kRadius = 2, kWidth = 32, kHeight = 8;
__constant__ float weights[2 * kRadius + 1];
__global__ void along_rows(const float* x, float* y, int width, int height) {
    __shared__ float line[kHeight][kWidth + 2 * kRadius];
    const int row = blockIdx.y * kHeight + threadIdx.y, first = blockIdx.x * kWidth - kRadius;
    for (int k = threadIdx.x; k < kWidth + 2 * kRadius; k += kWidth) {
        const int column = first + k;
        line[threadIdx.y][k] = row < height && column >= 0 && column < width ? x[row * width + column] : 0.0f;
    }
    __syncthreads();
    const int column = blockIdx.x * kWidth + threadIdx.x;
    if (row >= height || column >= width) return;
    float sum = 0;
    for (int k = 0; k <= 2 * kRadius; ++k) sum += weights[k] * line[threadIdx.y][threadIdx.x + k];
    y[row * width + column] = sum;
}
__global__ void along_columns(const float* x, float* y, int width, int height) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height || column >= width) return;
    float sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k)
        if (row + k >= 0 && row + k < height) sum += weights[k + kRadius] * x[(row + k) * width + column];
    y[row * width + column] = sum;
}
bool run() {
    const int width = 50, height = 21;
    const float w[] = {0.1f, 0.2f, 0.4f, 0.25f, 0.05f};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    const auto a = numbers(width * height);
    OnDevice<float> x(a), y(width * height), z(width * height);
    const dim3 grid(blocks_for(width, kWidth), blocks_for(height, kHeight)), block(kWidth, kHeight);
    along_rows<<<grid, block>>>(x, y, width, height);
    along_columns<<<grid, block>>>(y, z, width, height);
    return near(z.values(), wanted(width * height, [&](int i) {
                    double sum = 0;
                    for (int p = -kRadius; p <= kRadius; ++p)
                        for (int q = -kRadius; q <= kRadius; ++q) {
                            const int row = i / width + p, column = i % width + q;
                            if (row >= 0 && row < height && column >= 0 && column < width)
                                sum += w[p + kRadius] * w[q + kRadius] * a[row * width + column];
                        }
                    return sum;
                }));
}
}  // namespace separable_convolution

namespace gaussian_elimination {
// A launch for each pivot, a thread for each element below and right of it.
__global__ void eliminate(float* A, float* b, int n, int pivot) {
    const int row = pivot + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    const int column = pivot + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column > n) return;
    const float factor = A[row * n + pivot] / A[pivot * n + pivot];
    if (column < n)
        A[row * n + column] -= factor * A[pivot * n + column];
    else
        b[row] -= factor * b[pivot];
}
bool run() {
    const int n = 20;
    auto a = numbers(n * n);
    const auto solution = numbers(n, 2);
    for (int i = 0; i < n; ++i) a[i * n + i] += 12;
    std::vector<float> right(n);
    for (int i = 0; i < n * n; ++i) right[i / n] += a[i] * solution[i % n];
    OnDevice<float> A(a), b(right);
    for (int pivot = 0; pivot + 1 < n; ++pivot)
        eliminate<<<dim3(blocks_for(n - pivot, 8), blocks_for(n - pivot - 1, 8)), dim3(8, 8)>>>(A, b, n,
                                                                                                pivot);
    a = A.values();
    auto x = b.values();
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
    return near(x, solution, 1e-4);
}
}  // namespace gaussian_elimination

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"matmul_by_registers", matmul_by_registers::run},
                {"matmul_by_quads", matmul_by_quads::run},
                {"matmul_with_two_buffers", matmul_with_two_buffers::run},
                {"transpose_in_place", transpose_in_place::run},
                {"sparse_rows", sparse_rows::run},
                {"separable_convolution", separable_convolution::run},
                {"gaussian_elimination", gaussian_elimination::run}});
}
