// The reference for assignment 2, as kernels: an outer loop of self_attention.cpp becomes threads here.

#include <cstddef>

#include "device.h"
#include "self_attention_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

/// The same numbers without the batches' axis: [B, N, D] as [B N, D].
template <class T>
TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// Y = X W      X [N, D_in], W [D_in, D_out], Y [N, D_out]. A thread owns one number of Y.
__global__ void project(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, d] = index_in(Y, n);
    float sum = 0;
    for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
    Y(i, d) = sum;
}

/// A thread owns one row.
__global__ void softmax_of_rows(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.size(0)) return;
    const int i = static_cast<int>(n);
    // exp of a large score is infinity; subtracting the row's maximum does not change Y.
    float m = X(i, 0);
    for (int j = 1; j < X.size(1); ++j) m = fmaxf(m, X(i, j));
    float sum = 0;
    for (int j = 0; j < X.size(1); ++j) sum += Y(i, j) = expf(X(i, j) - m);
    for (int j = 0; j < X.size(1); ++j) Y(i, j) /= sum;
}

/// E = Q K^T / sqrt(D_q)      E [B, N_q, N_k]. A thread owns one score.
/// This reads K badly: neighbouring threads share i and have neighbouring j, so in each step of the loop a
/// warp reads 32 numbers of K that lie D_q apart, each from another piece of memory. steps/attention.cu does
/// better.
__global__ void scores(TensorView<float, 3> E, TensorView<const float, 3> Q, TensorView<const float, 3> K) {
    const std::ptrdiff_t n = thread_number();
    if (n >= E.count()) return;
    const auto [b, i, j] = index_in(E, n);
    const int D_q = Q.size(2);
    float dot = 0;
    for (int d = 0; d < D_q; ++d) dot += Q(b, i, d) * K(b, j, d);
    E(b, i, j) = dot / sqrtf(static_cast<float>(D_q));
}

/// Y = A V      Y [B, N_q, D_v]. A thread owns one number of Y.
__global__ void weighted_sums(TensorView<float, 3> Y, TensorView<const float, 3> A,
                              TensorView<const float, 3> V) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, i, d] = index_in(Y, n);
    float sum = 0;
    for (int j = 0; j < V.size(1); ++j) sum += A(b, i, j) * V(b, j, d);
    Y(b, i, d) = sum;
}

}  // namespace

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream) {
    softmax_of_rows<<<blocks_for(X.size(0), kThreads), kThreads, 0, stream>>>(Y, X);
    check(cudaGetLastError(), "softmax_of_rows");
}

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V, cudaStream_t stream) {
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const DeviceBuffer<float> all_scores(stream, B, N_q, N_k), weights(stream, B, N_q, N_k);
    const TensorView<float, 3> E = all_scores.view(B, N_q, N_k);
    if (!A) A = weights.view(B, N_q, N_k);
    // E = Q K^T / sqrt(D_q)
    scores<<<blocks_for(E.count(), kThreads), kThreads, 0, stream>>>(E, Q, K);
    check(cudaGetLastError(), "scores");
    // A = softmax(E) by rows
    softmax(rows(A), rows(E), stream);
    // Y = A V
    weighted_sums<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, A, V);
    check(cudaGetLastError(), "weighted_sums");
}

void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V, cudaStream_t stream) {
    const int B = X.size(0), N = X.size(1), D_q = W_Q.size(1), D_v = W_V.size(1);
    const DeviceBuffer<float> queries(stream, B, N, D_q), keys(stream, B, N, D_q), values(stream, B, N, D_v);
    const TensorView<float, 3> Q = queries.view(B, N, D_q), K = keys.view(B, N, D_q),
                               V = values.view(B, N, D_v);
    // Q = X W_Q, K = X W_K, V = X W_V
    project<<<blocks_for(Q.count(), kThreads), kThreads, 0, stream>>>(rows(Q), rows(X), W_Q);
    check(cudaGetLastError(), "project");
    project<<<blocks_for(K.count(), kThreads), kThreads, 0, stream>>>(rows(K), rows(X), W_K);
    check(cudaGetLastError(), "project");
    project<<<blocks_for(V.count(), kThreads), kThreads, 0, stream>>>(rows(V), rows(X), W_V);
    check(cudaGetLastError(), "project");
    // Y = attention of Q, K, V
    scaled_dot_product_attention(Y, {}, Q, K, V, stream);
}

}  // namespace attn::cuda
