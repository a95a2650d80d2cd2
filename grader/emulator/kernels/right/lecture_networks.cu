// The layers of a transformer, as lectures on large models write them.

#include <cfloat>

#include "../corpus.h"

using namespace corpus;

namespace online_softmax {
// Maximum and sum in one pass: two pairs (m, d) join to (max, d e^(m - max) + d' e^(m' - max)).
struct __align__(8) Pair {
    float m, d;
};
__device__ __forceinline__ Pair join(Pair a, Pair b) {
    const Pair bigger = a.m > b.m ? a : b, smaller = a.m > b.m ? b : a;
    return {bigger.m, bigger.d + smaller.d * __expf(smaller.m - bigger.m)};
}
__global__ void softmax(const float* X, float* Y, int N) {
    __shared__ Pair pairs[4];
    const float* x = X + blockIdx.x * N;
    float* y = Y + blockIdx.x * N;
    Pair mine{-FLT_MAX, 0};
    for (int i = threadIdx.x; i < N; i += blockDim.x) mine = join(mine, Pair{x[i], 1});
    for (int k = 16; k > 0; k /= 2) {
        const Pair other{__shfl_xor_sync(~0u, mine.m, k), __shfl_xor_sync(~0u, mine.d, k)};
        mine = join(mine, other);
    }
    if (threadIdx.x % 32 == 0) pairs[threadIdx.x / 32] = mine;
    __syncthreads();
    Pair all = pairs[0];
    for (int w = 1; w < blockDim.x / 32; ++w) all = join(all, pairs[w]);
    for (int i = threadIdx.x; i < N; i += blockDim.x) y[i] = __expf(x[i] - all.m) / all.d;
}
bool run() {
    const int rows = 4, N = 203;
    auto a = numbers(rows * N);
    for (float& v : a) v *= 20;
    OnDevice<float> X(a), Y(rows * N);
    softmax<<<rows, 128>>>(X, Y, N);
    return near(Y.values(), wanted(rows * N, [&](int i) {
                    double sum = 0;
                    for (int j = 0; j < N; ++j) sum += std::exp(static_cast<double>(a[i / N * N + j]));
                    return std::exp(static_cast<double>(a[i])) / sum;
                }));
}
}  // namespace online_softmax

namespace layer_norm_of_warps {
// A warp normalises a row. Mean and squares come from Welford's formula, joined over the lanes (Chan et al.).
__global__ void normalise(const float* X, const float* gain, const float* bias, float* Y, int rows, int D) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows) return;
    const float* x = X + row * D;
    float n = 0, mean = 0, squares = 0;
    for (int j = lane; j < D; j += 32) {
        const float delta = x[j] - mean;
        n += 1;
        mean += delta / n;
        squares += delta * (x[j] - mean);
    }
    for (int k = 1; k < 32; k *= 2) {
        const float n2 = __shfl_xor_sync(0xffffffff, n, k), mean2 = __shfl_xor_sync(0xffffffff, mean, k),
                    squares2 = __shfl_xor_sync(0xffffffff, squares, k);
        const float both = n + n2, delta = mean2 - mean;
        if (both > 0) {
            mean = (n * mean + n2 * mean2) / both;
            squares += squares2 + delta * delta * n * n2 / both;
        }
        n = both;
    }
    const float scale = rsqrtf(squares / D + 1e-5f);
    for (int j = lane; j < D; j += 32) Y[row * D + j] = (x[j] - mean) * scale * gain[j] + bias[j];
}
bool run() {
    const int rows = 6, D = 50;
    const auto a = numbers(rows * D), g = numbers(D, 2), b = numbers(D, 3);
    OnDevice<float> X(a), gain(g), bias(b), Y(rows * D);
    normalise<<<2, dim3(32, 4)>>>(X, gain, bias, Y, rows, D);
    return near(Y.values(),
                wanted(rows * D,
                       [&](int i) {
                           double mean = 0, variance = 0;
                           for (int j = 0; j < D; ++j) mean += a[i / D * D + j] / static_cast<double>(D);
                           for (int j = 0; j < D; ++j) variance += std::pow(a[i / D * D + j] - mean, 2) / D;
                           return (a[i] - mean) / std::sqrt(variance + 1e-5) * g[i % D] + b[i % D];
                       }),
                1e-4);
}
}  // namespace layer_norm_of_warps

/// Attention with D numbers in a vector, in double. Causal: query i sees the keys 0 .. i.
double attended(const std::vector<float>& q, const std::vector<float>& k, const std::vector<float>& v, int N,
                int D, bool causal, int element) {
    const int i = element / D;
    double sum = 0, weighted = 0;
    for (int j = 0; j < (causal ? i + 1 : N); ++j) {
        double score = 0;
        for (int d = 0; d < D; ++d) score += static_cast<double>(q[i * D + d]) * k[j * D + d];
        const double weight = std::exp(score / std::sqrt(static_cast<double>(D)));
        sum += weight;
        weighted += weight * v[j * D + element % D];
    }
    return weighted / sum;
}

namespace causal_attention_in_three_launches {
__global__ void scores(const float* Q, const float* K, float* E, int N, int D) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= N || j >= N) return;
    float score = 0;
    for (int d = 0; d < D; ++d) score += Q[i * D + d] * K[j * D + d];
    E[i * N + j] = j <= i ? score / sqrtf((float)D) : -INFINITY;
}
__global__ void softmax(float* E, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float largest = E[i * N], sum = 0;
    for (int j = 1; j < N; ++j) largest = fmaxf(largest, E[i * N + j]);
    for (int j = 0; j < N; ++j) sum += E[i * N + j] = expf(E[i * N + j] - largest);
    for (int j = 0; j < N; ++j) E[i * N + j] /= sum;
}
__global__ void weighted(const float* A, const float* V, float* Y, int N, int D) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= N * D) return;
    float sum = 0;
    for (int j = 0; j < N; ++j) sum += A[e / D * N + j] * V[j * D + e % D];
    Y[e] = sum;
}
bool run() {
    const int N = 21, D = 6;
    const auto q = numbers(N * D), k = numbers(N * D, 2), v = numbers(N * D, 3);
    OnDevice<float> Q(q), K(k), V(v), E(N * N), Y(N * D);
    scores<<<dim3(2, 2), dim3(16, 16)>>>(Q, K, E, N, D);
    softmax<<<1, 32>>>(E, N);
    weighted<<<blocks_for(N * D, 64), 64>>>(E, V, Y, N, D);
    return near(Y.values(), wanted(N * D, [&](int i) { return attended(q, k, v, N, D, true, i); }));
}
}  // namespace causal_attention_in_three_launches

namespace attention_of_tiles {
// A block owns kQueries queries. Scores, weights and outputs of a tile of keys stay in shared memory.
constexpr int kQueries = 8, kKeys = 16, kD = 12;
__global__ void attention(const float* Q, const float* K, const float* V, float* Y, int N) {
    __shared__ float q[kQueries][kD], k[kKeys][kD + 1], v[kKeys][kD], e[kQueries][kKeys];
    __shared__ float y[kQueries][kD], best[kQueries], sum[kQueries], rescale[kQueries];
    const int t = threadIdx.x, first_query = blockIdx.x * kQueries;
    for (int p = t; p < kQueries * kD; p += blockDim.x) {
        q[p / kD][p % kD] = first_query + p / kD < N ? Q[first_query * kD + p] : 0;
        y[p / kD][p % kD] = 0;
    }
    if (t < kQueries) best[t] = -INFINITY, sum[t] = 0;
    for (int first = 0; first < N; first += kKeys) {
        __syncthreads();
        for (int p = t; p < kKeys * kD; p += blockDim.x) {
            k[p / kD][p % kD] = first + p / kD < N ? K[first * kD + p] : 0;
            v[p / kD][p % kD] = first + p / kD < N ? V[first * kD + p] : 0;
        }
        __syncthreads();
        const int i = t / kKeys, j = t % kKeys;
        float score = 0;
        for (int d = 0; d < kD; ++d) score += q[i][d] * k[j][d];
        e[i][j] = first + j < N ? score * rsqrtf(kD) : -INFINITY;
        __syncthreads();
        if (t < kQueries) {
            float larger = best[t];
            for (int l = 0; l < kKeys; ++l) larger = fmaxf(larger, e[t][l]);
            rescale[t] = expf(best[t] - larger);
            best[t] = larger;
            sum[t] *= rescale[t];
            for (int l = 0; l < kKeys; ++l) sum[t] += e[t][l] = expf(e[t][l] - larger);
        }
        __syncthreads();
        for (int p = t; p < kQueries * kD; p += blockDim.x) {
            float result = y[p / kD][p % kD] * rescale[p / kD];
            for (int l = 0; l < kKeys; ++l) result += e[p / kD][l] * v[l][p % kD];
            y[p / kD][p % kD] = result;
        }
    }
    for (int p = t; p < kQueries * kD; p += blockDim.x)
        if (first_query + p / kD < N) Y[first_query * kD + p] = y[p / kD][p % kD] / sum[p / kD];
}
bool run() {
    const int N = 37;
    const auto q = numbers(N * kD), k = numbers(N * kD, 2), v = numbers(N * kD, 3);
    OnDevice<float> Q(q), K(k), V(v), Y(N * kD);
    attention<<<blocks_for(N, kQueries), kQueries * kKeys>>>(Q, K, V, Y, N);
    return near(Y.values(), wanted(N * kD, [&](int i) { return attended(q, k, v, N, kD, false, i); }));
}
}  // namespace attention_of_tiles

namespace cross_entropy {
// Loss and gradient in one kernel. A block takes a row, and all blocks add to the mean loss.
__global__ void loss_and_gradient(const float* logits, const int* labels, float* loss, float* gradient,
                                  int C) {
    __shared__ float cache[64];
    const int t = threadIdx.x, rows = gridDim.x;
    const float* x = logits + blockIdx.x * C;
    float m = -1e30f, s = 0;
    for (int c = t; c < C; c += blockDim.x) m = max(m, x[c]);
    cache[t] = m;
    for (int half = blockDim.x >> 1; half; half >>= 1) {
        __syncthreads();
        if (t < half) cache[t] = max(cache[t], cache[t + half]);
    }
    __syncthreads();
    m = cache[0];
    __syncthreads();
    for (int c = t; c < C; c += blockDim.x) s += expf(x[c] - m);
    cache[t] = s;
    for (int half = blockDim.x >> 1; half; half >>= 1) {
        __syncthreads();
        if (t < half) cache[t] += cache[t + half];
    }
    __syncthreads();
    s = cache[0];
    const int label = labels[blockIdx.x];
    for (int c = t; c < C; c += blockDim.x)
        gradient[blockIdx.x * C + c] = (expf(x[c] - m) / s - (c == label ? 1.0f : 0.0f)) / rows;
    if (t == 0) atomicAdd(loss, (logf(s) + m - x[label]) / rows);
}
bool run() {
    const int rows = 7, C = 100;
    const auto a = numbers(rows * C);
    std::vector<int> b(rows);
    for (int i = 0; i < rows; ++i) b[i] = 13 * i;
    OnDevice<float> logits(a), loss(1, 0.0f), gradient(rows * C);
    OnDevice<int> labels(b);
    loss_and_gradient<<<rows, 64>>>(logits, labels, loss, gradient, C);
    double sums[rows] = {}, total = 0;
    for (int i = 0; i < rows * C; ++i) sums[i / C] += std::exp(static_cast<double>(a[i]));
    for (int i = 0; i < rows; ++i) total += (std::log(sums[i]) - a[i * C + b[i]]) / rows;
    return near(loss.values(), wanted(1, [&](int) { return total; })) &&
           near(gradient.values(), wanted(rows * C, [&](int i) {
                    return (std::exp(static_cast<double>(a[i])) / sums[i / C] - (i % C == b[i / C])) / rows;
                }));
}
}  // namespace cross_entropy

namespace embedding {
// The gradient of a table of vectors: several tokens may be the same word, so the additions are atomic.
__global__ void forward(const int* words, const float* table, float* y, int D) {
    for (int d = threadIdx.x; d < D; d += blockDim.x)
        y[blockIdx.x * D + d] = table[words[blockIdx.x] * D + d];
}
__global__ void backward(const int* words, const float* dy, float* gradient, int D) {
    for (int d = threadIdx.x; d < D; d += blockDim.x)
        atomicAdd(gradient + words[blockIdx.x] * D + d, dy[blockIdx.x * D + d]);
}
bool run() {
    const int N = 15, D = 40, kWords = 6;
    const auto a = numbers(kWords * D), dy = numbers(N * D, 2);
    std::vector<int> text(N);
    for (int i = 0; i < N; ++i) text[i] = i * i % kWords;
    OnDevice<int> words(text);
    OnDevice<float> table(a), y(N * D), d_dy(dy), gradient(kWords * D);
    forward<<<N, 32>>>(words, table, y, D);
    cudaMemset(gradient, 0, gradient.bytes());
    backward<<<N, 32>>>(words, d_dy, gradient, D);
    std::vector<double> expected(kWords * D);
    for (int i = 0; i < N * D; ++i) expected[text[i / D] * D + i % D] += dy[i];
    return near(y.values(), wanted(N * D, [&](int i) { return a[text[i / D] * D + i % D]; }), 0) &&
           near(gradient.values(), expected);
}
}  // namespace embedding

int main(int argc, char** argv) {
    return run(argc, argv,
               {{"online_softmax", online_softmax::run},
                {"layer_norm_of_warps", layer_norm_of_warps::run},
                {"causal_attention_in_three_launches", causal_attention_in_three_launches::run},
                {"attention_of_tiles", attention_of_tiles::run},
                {"cross_entropy", cross_entropy::run},
                {"embedding", embedding::run}});
}
