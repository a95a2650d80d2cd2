// The reference for assignment 15, as kernels: an outer loop of fused_attention.cpp becomes threads here. Blocked
// attention is one kernel: a block of threads owns a block of queries and copies block after block of K and V into
// __shared__ memory.

#include <cstddef>

#include "device.h"
#include "fused_attention_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

/// Q[i] . K[j] / sqrt(D_q)
__device__ float score(TensorView<const float, 3> Q, TensorView<const float, 3> K, int b, int i, int j) {
    float dot = 0;
    for (int d = 0; d < Q.size(2); ++d) dot += Q(b, i, d) * K(b, j, d);
    return dot / sqrtf(static_cast<float>(Q.size(2)));
}

/// elu(x) + 1
__device__ float phi(float x) {
    return x > 0 ? x + 1 : expf(x);
}

/// A thread owns one row: each maximum needs the one before.
__global__ void online_rows(TensorView<float, 2> Y, TensorView<float, 2> m, TensorView<float, 2> l,
                            TensorView<const float, 2> X) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.size(0)) return;
    const int i = static_cast<int>(n), D = X.size(1);
    float m_i = -INFINITY, l_i = 0;
    for (int j = 0; j < D; ++j) {
        const float larger = fmaxf(m_i, X(i, j));
        // A new maximum rescales the old sum.
        l_i = l_i * expf(m_i - larger) + expf(X(i, j) - larger);
        m_i = larger;
        m(i, j) = m_i;
        l(i, j) = l_i;
    }
    for (int j = 0; j < D; ++j) Y(i, j) = expf(X(i, j) - m_i) / l_i;
}

/// Block (I, b) of threads owns block I of the queries of batch b.
__global__ void blocks_of_queries(TensorView<float, 3> Y, TensorView<float, 2> L,
                                  TensorView<std::uint8_t, 2> visited, TensorView<const float, 3> Q,
                                  TensorView<const float, 3> K, TensorView<const float, 3> V, bool causal,
                                  int B_r, int B_c) {
    extern __shared__ float shared[];
    const int b = static_cast<int>(blockIdx.y), first_i = static_cast<int>(blockIdx.x) * B_r;
    const int N = Q.size(1), D_q = Q.size(2), D_v = V.size(2), t = static_cast<int>(threadIdx.x);
    const int rows = min(B_r, N - first_i);
    // [B_c, D_q], [B_c, D_v], [B_r, B_c], and three times [B_r]
    float *const K_tile = shared, *const V_tile = K_tile + B_c * D_q, *const E = V_tile + B_c * D_v;
    float *const m = E + B_r * B_c, *const l = m + B_r, *const rescale = l + B_r;
    // m = -infinity, l = 0, O = 0; Y holds O until the last block of keys
    for (int r = t; r < rows; r += kThreads) {
        m[r] = -INFINITY;
        l[r] = 0;
    }
    for (int n = t; n < rows * D_v; n += kThreads) Y(b, first_i + n / D_v, n % D_v) = 0;
    for (int first_j = 0; first_j < N; first_j += B_c) {
        const int columns = min(B_c, N - first_j);
        const bool seen = !causal || first_j < first_i + rows;
        if (visited && b == 0 && t == 0) visited(static_cast<int>(blockIdx.x), first_j / B_c) = seen ? 1 : 0;
        if (!seen) continue;  // all threads of the block, or none
        __syncthreads();      // before this block of K and V overwrites the one before
        for (int n = t; n < columns * D_q; n += kThreads) K_tile[n] = K(b, first_j + n / D_q, n % D_q);
        for (int n = t; n < columns * D_v; n += kThreads) V_tile[n] = V(b, first_j + n / D_v, n % D_v);
        __syncthreads();  // K and V are complete
        // E = Q K^T / sqrt(D_q) of this block. A thread owns every 128th score.
        for (int n = t; n < rows * columns; n += kThreads) {
            const int r = n / columns, c = n % columns;
            float dot = 0;
            for (int d = 0; d < D_q; ++d) dot += Q(b, first_i + r, d) * K_tile[c * D_q + d];
            const bool hidden = causal && first_j + c > first_i + r;
            E[r * B_c + c] = hidden ? -INFINITY : dot / sqrtf(static_cast<float>(D_q));
        }
        __syncthreads();  // the scores are complete
        // larger = max(m, max_j E), l = l exp(m - larger) + sum_j exp(E - larger). A thread owns a row.
        for (int r = t; r < rows; r += kThreads) {
            float larger = m[r];
            for (int c = 0; c < columns; ++c) larger = fmaxf(larger, E[r * B_c + c]);
            rescale[r] = expf(m[r] - larger);
            m[r] = larger;
            l[r] *= rescale[r];
            for (int c = 0; c < columns; ++c) l[r] += E[r * B_c + c] = expf(E[r * B_c + c] - larger);
        }
        __syncthreads();  // the weights are complete
        // O = O exp(m - larger) + sum_j exp(E - larger) V. A thread owns every 128th number of O.
        for (int n = t; n < rows * D_v; n += kThreads) {
            const int r = n / D_v, d = n % D_v;
            float sum = Y(b, first_i + r, d) * rescale[r];
            for (int c = 0; c < columns; ++c) sum += E[r * B_c + c] * V_tile[c * D_v + d];
            Y(b, first_i + r, d) = sum;
        }
    }
    // Y = O / l, L = m + log l
    for (int n = t; n < rows * D_v; n += kThreads) Y(b, first_i + n / D_v, n % D_v) /= l[n / D_v];
    for (int r = t; r < rows && L; r += kThreads) L(b, first_i + r) = m[r] + logf(l[r]);
}

/// P[i, j] and dE[i, j] of one pair
struct Pair {
    float P, dE;
};
__device__ Pair pair_of(TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                        TensorView<const float, 3> K, TensorView<const float, 3> V,
                        TensorView<const float, 3> Y, TensorView<const float, 2> L, int b, int i, int j) {
    // delta = sum_d dY Y; P = exp(E - L), dP = dY V^T, dE = P (dP - delta)
    float delta = 0, dP = 0;
    for (int d = 0; d < V.size(2); ++d) {
        delta += dY(b, i, d) * Y(b, i, d);
        dP += dY(b, i, d) * V(b, j, d);
    }
    const float P = expf(score(Q, K, b, i, j) - L(b, i));
    return {P, P * (dP - delta)};
}

/// dQ = dE K / sqrt(D_q), dK = dE^T Q / sqrt(D_q), dV = P^T dY. A thread owns vector n of a sequence, first as a
/// query and then as a key, so that no two threads add to one number.
__global__ void gradients(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                          TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                          TensorView<const float, 3> K, TensorView<const float, 3> V,
                          TensorView<const float, 3> Y, TensorView<const float, 2> L, bool causal) {
    if (thread_number() >= L.count()) return;
    const auto [b, n] = index_in(L, thread_number());
    const int N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    const float root = sqrtf(static_cast<float>(D_q));
    for (int d = 0; d < D_q; ++d) dQ(b, n, d) = dK(b, n, d) = 0;
    for (int d = 0; d < D_v; ++d) dV(b, n, d) = 0;
    for (int j = 0; j < (causal ? n + 1 : N); ++j) {
        const float dE = pair_of(dY, Q, K, V, Y, L, b, n, j).dE;
        for (int d = 0; d < D_q; ++d) dQ(b, n, d) += dE * K(b, j, d) / root;
    }
    for (int i = causal ? n : 0; i < N; ++i) {
        const Pair pair = pair_of(dY, Q, K, V, Y, L, b, i, n);
        for (int d = 0; d < D_q; ++d) dK(b, n, d) += pair.dE * Q(b, i, d) / root;
        for (int d = 0; d < D_v; ++d) dV(b, n, d) += pair.P * dY(b, i, d);
    }
}

/// A thread owns one query, and carries maximum and sum over its window; Y holds O until the last key.
__global__ void windows(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                        TensorView<const float, 3> V, bool causal, int W) {
    const std::ptrdiff_t n = thread_number();
    const int N = Q.size(1), D_v = V.size(2);
    if (n >= std::ptrdiff_t{Q.size(0)} * N) return;
    const int b = static_cast<int>(n / N), i = static_cast<int>(n % N);
    float m = -INFINITY, l = 0;
    for (int d = 0; d < D_v; ++d) Y(b, i, d) = 0;
    for (int j = max(i - W, 0); j < min(causal ? i + 1 : i + W + 1, N); ++j) {
        const float E = score(Q, K, b, i, j), larger = fmaxf(m, E);
        const float rescale = expf(m - larger), p = expf(E - larger);
        m = larger;
        l = l * rescale + p;
        for (int d = 0; d < D_v; ++d) Y(b, i, d) = Y(b, i, d) * rescale + p * V(b, j, d);
    }
    for (int d = 0; d < D_v; ++d) Y(b, i, d) /= l;
}

/// A thread owns column d of S and walks over the sequence; S[k, d] and z[k] stand in the device's memory.
__global__ void running_sums(TensorView<float, 3> Y, TensorView<float, 3> S, TensorView<float, 3> z,
                             TensorView<const float, 3> Q, TensorView<const float, 3> K,
                             TensorView<const float, 3> V, bool causal) {
    const std::ptrdiff_t n = thread_number();
    const int N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    if (n >= std::ptrdiff_t{Q.size(0)} * D_v) return;
    const int b = static_cast<int>(n / D_v), d = static_cast<int>(n % D_v);
    for (int k = 0; k < D_q; ++k) S(b, k, d) = z(b, k, d) = 0;
    int j = 0;
    for (int i = 0; i < N; ++i) {
        // S = sum_j phi(K[j])^T V[j], z = sum_j phi(K[j])
        for (; j < (causal ? i + 1 : N); ++j)
            for (int k = 0; k < D_q; ++k) {
                z(b, k, d) += phi(K(b, j, k));
                S(b, k, d) += phi(K(b, j, k)) * V(b, j, d);
            }
        // Y[i] = phi(Q[i]) S / (phi(Q[i]) . z)
        float l = 0, sum = 0;
        for (int k = 0; k < D_q; ++k) {
            l += phi(Q(b, i, k)) * z(b, k, d);
            sum += phi(Q(b, i, k)) * S(b, k, d);
        }
        Y(b, i, d) = sum / l;
    }
}

}  // namespace

void online_softmax(TensorView<float, 2> Y, TensorView<float, 2> m, TensorView<float, 2> l,
                    TensorView<const float, 2> X, cudaStream_t stream) {
    online_rows<<<blocks_for(X.size(0), kThreads), kThreads, 0, stream>>>(Y, m, l, X);
    check(cudaGetLastError(), "online_rows");
}

void blocked_attention(TensorView<float, 3> Y, TensorView<float, 2> L, TensorView<std::uint8_t, 2> visited,
                       TensorView<const float, 3> Q, TensorView<const float, 3> K,
                       TensorView<const float, 3> V, bool causal, int B_r, int B_c, cudaStream_t stream) {
    const dim3 grid(blocks_for(Q.size(1), B_r), static_cast<unsigned>(Q.size(0)));
    const int numbers = B_c * (Q.size(2) + V.size(2) + B_r) + 3 * B_r;
    blocks_of_queries<<<grid, kThreads, static_cast<std::size_t>(numbers) * sizeof(float), stream>>>(
        Y, L, visited, Q, K, V, causal, B_r, B_c);
    check(cudaGetLastError(), "blocks_of_queries");
}

void blocked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                                TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const float, 3> V,
                                TensorView<const float, 3> Y, TensorView<const float, 2> L, bool causal,
                                cudaStream_t stream) {
    gradients<<<blocks_for(L.count(), kThreads), kThreads, 0, stream>>>(dQ, dK, dV, dY, Q, K, V, Y, L,
                                                                        causal);
    check(cudaGetLastError(), "gradients");
}

void sliding_window_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q,
                              TensorView<const float, 3> K, TensorView<const float, 3> V, bool causal, int W,
                              cudaStream_t stream) {
    const std::ptrdiff_t queries = std::ptrdiff_t{Q.size(0)} * Q.size(1);
    windows<<<blocks_for(queries, kThreads), kThreads, 0, stream>>>(Y, Q, K, V, causal, W);
    check(cudaGetLastError(), "windows");
}

void linear_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                      TensorView<const float, 3> V, bool causal, cudaStream_t stream) {
    const int B = Q.size(0), D_q = Q.size(2), D_v = V.size(2);
    const DeviceBuffer<float> sums(stream, B, D_q, D_v), keys(stream, B, D_q, D_v);
    running_sums<<<blocks_for(std::ptrdiff_t{B} * D_v, kThreads), kThreads, 0, stream>>>(
        Y, sums.view(B, D_q, D_v), keys.view(B, D_q, D_v), Q, K, V, causal);
    check(cudaGetLastError(), "running_sums");
}

}  // namespace attn::cuda
