// The reference for assignment 4, as kernels: an outer loop of masking.cpp becomes threads here. 1 = MAY
// ATTEND.

#include <cstddef>

#include "device.h"
#include "masking_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

/// The same numbers without the batches' axis: [B, N, D] as [B N, D].
template <class T>
TensorView<T, 2> rows(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// A thread owns one element of M, as in all kernels of masks.
__global__ void allow_the_past(TensorView<std::uint8_t, 2> M) {
    const std::ptrdiff_t n = thread_number();
    if (n >= M.count()) return;
    const auto [i, j] = index_in(M, n);
    const int N_q = M.size(0), N_k = M.size(1);
    M(i, j) = j <= i + (N_k - N_q) ? 1 : 0;
}

__global__ void allow_words(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    const std::ptrdiff_t n = thread_number();
    if (n >= M.count()) return;
    const auto [b, i, j] = index_in(M, n);
    M(b, i, j) = j < lengths(b) ? 1 : 0;
}

__global__ void allow_both(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                           TensorView<const std::uint8_t, 3> padding) {
    const std::ptrdiff_t n = thread_number();
    if (n >= M.count()) return;
    const auto [b, i, j] = index_in(M, n);
    M(b, i, j) = causal(i, j) != 0 && padding(b, i, j) != 0 ? 1 : 0;
}

/// A thread owns one row.
__global__ void masked_softmax_of_rows(TensorView<float, 2> Y, TensorView<const float, 2> X,
                                       TensorView<const std::uint8_t, 2> mask) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.size(0)) return;
    const int i = static_cast<int>(n);
    // Read allowed scores only: a masked score may be the largest, infinite or not a number.
    float m = -INFINITY;
    for (int j = 0; j < X.size(1); ++j)
        if (mask(i, j)) m = fmaxf(m, X(i, j));
    float sum = 0;
    for (int j = 0; j < X.size(1); ++j) sum += Y(i, j) = mask(i, j) ? expf(X(i, j) - m) : 0.0f;
    // The maximum itself adds 1 to the sum, so a sum of 0 means a fully masked row: it stays 0.
    for (int j = 0; j < X.size(1); ++j)
        if (mask(i, j)) Y(i, j) /= sum;
}

/// E = Q K^T / sqrt(D_q)      E [B, N_q, N_k]. A thread owns one score.
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

void causal_mask(TensorView<std::uint8_t, 2> M, cudaStream_t stream) {
    allow_the_past<<<blocks_for(M.count(), kThreads), kThreads, 0, stream>>>(M);
    check(cudaGetLastError(), "allow_the_past");
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths, cudaStream_t stream) {
    allow_words<<<blocks_for(M.count(), kThreads), kThreads, 0, stream>>>(M, lengths);
    check(cudaGetLastError(), "allow_words");
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding, cudaStream_t stream) {
    allow_both<<<blocks_for(M.count(), kThreads), kThreads, 0, stream>>>(M, causal, padding);
    check(cudaGetLastError(), "allow_both");
}

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask, cudaStream_t stream) {
    masked_softmax_of_rows<<<blocks_for(X.size(0), kThreads), kThreads, 0, stream>>>(Y, X, mask);
    check(cudaGetLastError(), "masked_softmax_of_rows");
}

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask, cudaStream_t stream) {
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const DeviceBuffer<float> all_scores(stream, B, N_q, N_k), weights(stream, B, N_q, N_k);
    const TensorView<float, 3> E = all_scores.view(B, N_q, N_k);
    if (!A) A = weights.view(B, N_q, N_k);
    // E = Q K^T / sqrt(D_q)
    scores<<<blocks_for(E.count(), kThreads), kThreads, 0, stream>>>(E, Q, K);
    check(cudaGetLastError(), "scores");
    // A = masked softmax of E by rows
    masked_softmax(rows(A), rows(E), rows(mask), stream);
    // Y = A V
    weighted_sums<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, A, V);
    check(cudaGetLastError(), "weighted_sums");
}

}  // namespace attn::cuda
