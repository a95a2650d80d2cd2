// The computations of the course's kernels: products by tiles, softmax, normalisation, attention.

#include "../corpus.h"

using namespace corpus;

namespace matmul_by_tiles {
constexpr int kTile = 16;
__global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile + 1];
    const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < inner; first += kTile) {
        const int k = first + threadIdx.x, l = first + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0.0f;
        tile_b[threadIdx.y][threadIdx.x] = l < inner && column < columns ? b[l * columns + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}
bool run() {
    constexpr int kRows = 37, kInner = 21, kColumns = 50;
    const auto a = numbers(kRows * kInner), b = numbers(kInner * kColumns, 2);
    OnDevice<float> x(a), y(b), z(kRows * kColumns);
    matmul<<<dim3(blocks_for(kColumns, kTile), blocks_for(kRows, kTile)), dim3(kTile, kTile)>>>(
        x, y, z, kRows, kInner, kColumns);
    return near(z.values(), wanted(kRows * kColumns, [&](int i) {
                    double sum = 0;
                    for (int k = 0; k < kInner; ++k)
                        sum += static_cast<double>(a[i / kColumns * kInner + k]) *
                               b[k * kColumns + i % kColumns];
                    return sum;
                }));
}
}  // namespace matmul_by_tiles

namespace transpose {
__global__ void transpose(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (row + k < rows && column < columns)
            tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * columns + column];
    __syncthreads();
    column = blockIdx.y * 32 + threadIdx.x;
    row = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (row + k < columns && column < rows)
            y[(row + k) * rows + column] = tile[threadIdx.x][threadIdx.y + k];
}
bool run() {
    const auto a = numbers(45 * 70);
    OnDevice<float> x(a), y(45 * 70);
    transpose<<<dim3(3, 2), dim3(32, 8)>>>(x, y, 45, 70);
    return near(y.values(), wanted(45 * 70, [&](int i) { return a[i % 45 * 70 + i / 45]; }), 0);
}
}  // namespace transpose

namespace softmax_of_rows {
__global__ void softmax(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows) return;
    float best = -INFINITY, sum = 0;
    for (int j = lane; j < columns; j += 32) best = fmaxf(best, x[row * columns + j]);
    for (int k = 16; k > 0; k /= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, k));
    for (int j = lane; j < columns; j += 32) sum += __expf(x[row * columns + j] - best);
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, k);
    for (int j = lane; j < columns; j += 32) y[row * columns + j] = __expf(x[row * columns + j] - best) / sum;
}
bool run() {
    const auto a = numbers(10 * 45);
    OnDevice<float> x(a), y(450);
    softmax<<<3, dim3(32, 4)>>>(x, y, 10, 45);
    return near(y.values(), wanted(450, [&](int i) {
                    double sum = 0;
                    for (int j = 0; j < 45; ++j) sum += std::exp(static_cast<double>(a[i / 45 * 45 + j]));
                    return std::exp(static_cast<double>(a[i])) / sum;
                }));
}
}  // namespace softmax_of_rows

namespace layer_norm {
__device__ float sum_of_block(float v, float* parts) {
    for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffffu, v, k);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) v += parts[w];
    __syncthreads();
    return v;
}
__global__ void normalise(const float* x, const float* gain, const float* bias, float* y, int columns) {
    __shared__ float parts[32];
    const float* row = x + blockIdx.x * columns;
    float v = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) v += row[j];
    const float mean = sum_of_block(v, parts) / static_cast<float>(columns);
    v = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) v += (row[j] - mean) * (row[j] - mean);
    const float scale = rsqrtf(sum_of_block(v, parts) / static_cast<float>(columns) + 1e-5f);
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        y[blockIdx.x * columns + j] = (row[j] - mean) * scale * gain[j] + bias[j];
}
bool run() {
    constexpr int kColumns = 77;
    const auto a = numbers(5 * kColumns), g = numbers(kColumns, 2), b = numbers(kColumns, 3);
    OnDevice<float> x(a), gain(g), bias(b), y(5 * kColumns);
    normalise<<<5, 64>>>(x, gain, bias, y, kColumns);
    return near(y.values(),
                wanted(5 * kColumns,
                       [&](int i) {
                           const int first = i / kColumns * kColumns, j = i % kColumns;
                           double mean = 0, variance = 0;
                           for (int k = 0; k < kColumns; ++k)
                               mean += a[first + k] / static_cast<double>(kColumns);
                           for (int k = 0; k < kColumns; ++k)
                               variance += std::pow(a[first + k] - mean, 2) / kColumns;
                           return (a[i] - mean) / std::sqrt(variance + 1e-5) * g[j] + b[j];
                       }),
                1e-4);
}
}  // namespace layer_norm

namespace attention_by_tiles {
// The keys are read in tiles. The softmax is corrected whenever a tile has a larger score.
constexpr int kTile = 16, kDim = 8;
__global__ void attention(const float* q, const float* k, const float* v, float* y, int queries, int keys) {
    extern __shared__ float shared[];
    float* tile_k = shared;
    float* tile_v = shared + kTile * kDim;
    const int i = blockIdx.x * kTile + threadIdx.x;
    float query[kDim], sum_y[kDim] = {}, best = -INFINITY, sum = 0;
    for (int d = 0; d < kDim; ++d) query[d] = i < queries ? q[i * kDim + d] : 0.0f;
    for (int first = 0; first < keys; first += kTile) {
        const int count = min(kTile, keys - first);
        for (int e = threadIdx.x; e < count * kDim; e += blockDim.x) {
            tile_k[e] = k[first * kDim + e];
            tile_v[e] = v[first * kDim + e];
        }
        __syncthreads();
        for (int j = 0; j < count; ++j) {
            float score = 0;
            for (int d = 0; d < kDim; ++d) score += query[d] * tile_k[j * kDim + d];
            const float better = fmaxf(best, score), correction = expf(best - better),
                        weight = expf(score - better);
            sum = sum * correction + weight;
            for (int d = 0; d < kDim; ++d) sum_y[d] = sum_y[d] * correction + weight * tile_v[j * kDim + d];
            best = better;
        }
        __syncthreads();
    }
    if (i < queries)
        for (int d = 0; d < kDim; ++d) y[i * kDim + d] = sum_y[d] / sum;
}
bool run() {
    constexpr int kQueries = 20, kKeys = 37;
    const auto q = numbers(kQueries * kDim), k = numbers(kKeys * kDim, 2), v = numbers(kKeys * kDim, 3);
    OnDevice<float> on_q(q), on_k(k), on_v(v), y(kQueries * kDim);
    attention<<<blocks_for(kQueries, kTile), kTile, 2 * kTile * kDim * sizeof(float)>>>(on_q, on_k, on_v, y,
                                                                                        kQueries, kKeys);
    return near(y.values(), wanted(kQueries * kDim, [&](int i) {
                    double sum = 0, weighted = 0;
                    for (int j = 0; j < kKeys; ++j) {
                        double score = 0;
                        for (int d = 0; d < kDim; ++d)
                            score += static_cast<double>(q[i / kDim * kDim + d]) * k[j * kDim + d];
                        sum += std::exp(score);
                        weighted += std::exp(score) * v[j * kDim + i % kDim];
                    }
                    return weighted / sum;
                }));
}
}  // namespace attention_by_tiles

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"matmul_by_tiles", matmul_by_tiles::run},
                {"transpose", transpose::run},
                {"softmax_of_rows", softmax_of_rows::run},
                {"layer_norm", layer_norm::run},
                {"attention_by_tiles", attention_by_tiles::run}});
}
