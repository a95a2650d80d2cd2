// The reference for assignment 9, as kernels: an outer loop of positional_encoding.cpp becomes threads here.

#include <stdexcept>

#include "device.h"
#include "positional_encoding_cuda.h"
#include "self_attention_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

void require_pairs(int D) {
    if (D % 2 != 0) throw std::invalid_argument("2 does not divide the width of the vectors");
}

/// The angle of pair i at position p: p / 10000^(2i/D)
__device__ float angle(int p, int i, int D) {
    return static_cast<float>(p) / powf(10000.0f, static_cast<float>(2 * i) / static_cast<float>(D));
}

/// The row of R_K and R_V for query i and key j.
__device__ int row_of_distance(int i, int j, int C) {
    return min(max(j - i, -C), C) + C;
}

/// A thread owns one number of P.
__global__ void naive_numbers(TensorView<float, 2> P, Naive kind) {
    const std::ptrdiff_t n = thread_number();
    if (n >= P.count()) return;
    const auto [p, d] = index_in(P, n);
    const float x = static_cast<float>(p);
    P(p, d) = kind == Naive::index      ? x
              : kind == Naive::fraction ? x / static_cast<float>(P.size(0))
              : kind == Naive::one_sine ? sinf(x)
                                        : tanhf(x);
}

/// A thread owns one number of P.
__global__ void sines_and_cosines(TensorView<float, 2> P) {
    const std::ptrdiff_t n = thread_number();
    if (n >= P.count()) return;
    const auto [p, d] = index_in(P, n);
    const float a = angle(p, d / 2, P.size(1));
    P(p, d) = d % 2 == 0 ? sinf(a) : cosf(a);
}

/// A thread owns one number of Y.
__global__ void sums(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, p, d] = index_in(Y, n);
    Y(b, p, d) = X(b, p, d) + P(p, d);
}

/// A thread owns one number of Y.
__global__ void side_by_side(TensorView<float, 3> Y, TensorView<const float, 3> X,
                             TensorView<const float, 2> P) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, p, d] = index_in(Y, n);
    const int D = X.size(2);
    Y(b, p, d) = d < D ? X(b, p, d) : P(p, d - D);
}

/// E[i, j] = Q[i] . (K[j] + R_K[r]) / sqrt(D_q)      E [B, N, N]. A thread owns one score.
__global__ void relative_scores(TensorView<float, 3> E, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const float, 2> R_K, int C) {
    const std::ptrdiff_t n = thread_number();
    if (n >= E.count()) return;
    const auto [b, i, j] = index_in(E, n);
    const int r = row_of_distance(i, j, C);
    float dot = 0;
    for (int d = 0; d < Q.size(2); ++d) dot += Q(b, i, d) * (K(b, j, d) + R_K(r, d));
    E(b, i, j) = dot / sqrtf(static_cast<float>(Q.size(2)));
}

/// Y[i] = sum_j A[i, j] (V[j] + R_V[r])      Y [B, N, D_v]. A thread owns one number of Y.
__global__ void relative_sums(TensorView<float, 3> Y, TensorView<const float, 3> A,
                              TensorView<const float, 3> V, TensorView<const float, 2> R_V, int C) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, i, d] = index_in(Y, n);
    float sum = 0;
    for (int j = 0; j < V.size(1); ++j) sum += A(b, i, j) * (V(b, j, d) + R_V(row_of_distance(i, j, C), d));
    Y(b, i, d) = sum;
}

/// A thread owns one pair of Y: it needs both old numbers for both new ones.
__global__ void rotations(TensorView<float, 3> Y, TensorView<const float, 3> X, int offset) {
    const int D = X.size(2);
    const std::ptrdiff_t n = 2 * thread_number();
    if (n >= Y.count()) return;
    const auto [b, p, d] = index_in(Y, n);
    const float a = angle(offset + p, d / 2, D);
    const float first = X(b, p, d), second = X(b, p, d + 1);
    Y(b, p, d) = first * cosf(a) - second * sinf(a);
    Y(b, p, d + 1) = first * sinf(a) + second * cosf(a);
}

/// A thread owns one number of the bias.
__global__ void biases(TensorView<float, 3> bias) {
    const std::ptrdiff_t n = thread_number();
    if (n >= bias.count()) return;
    const auto [h, i, j] = index_in(bias, n);
    const float slope = powf(2.0f, static_cast<float>(-8 * (h + 1)) / static_cast<float>(bias.size(0)));
    bias(h, i, j) = slope * static_cast<float>(-abs(i - j));
}

}  // namespace

void naive_positions(TensorView<float, 2> P, Naive kind, cudaStream_t stream) {
    naive_numbers<<<blocks_for(P.count(), kThreads), kThreads, 0, stream>>>(P, kind);
    check(cudaGetLastError(), "naive_numbers");
}

void sinusoidal_positions(TensorView<float, 2> P, cudaStream_t stream) {
    sines_and_cosines<<<blocks_for(P.count(), kThreads), kThreads, 0, stream>>>(P);
    check(cudaGetLastError(), "sines_and_cosines");
}

void add_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P,
                   cudaStream_t stream) {
    sums<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, P);
    check(cudaGetLastError(), "sums");
}

void concatenate_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P,
                           cudaStream_t stream) {
    side_by_side<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, P);
    check(cudaGetLastError(), "side_by_side");
}

void relative_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                        TensorView<const float, 3> K, TensorView<const float, 3> V,
                        TensorView<const float, 2> R_K, TensorView<const float, 2> R_V, int C,
                        cudaStream_t stream) {
    const int B = Q.size(0), N = Q.size(1);
    const DeviceBuffer<float> all_scores(stream, B, N, N), weights(stream, B, N, N);
    const TensorView<float, 3> E = all_scores.view(B, N, N);
    if (!A) A = weights.view(B, N, N);
    relative_scores<<<blocks_for(E.count(), kThreads), kThreads, 0, stream>>>(E, Q, K, R_K, C);
    check(cudaGetLastError(), "relative_scores");
    // A = softmax(E) by rows; [B, N, N] as [B N, N]
    softmax(TensorView<float, 2>(A.data(), B * N, N), TensorView<const float, 2>(E.data(), B * N, N), stream);
    relative_sums<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, A, V, R_V, C);
    check(cudaGetLastError(), "relative_sums");
}

void rotary_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, int offset, cudaStream_t stream) {
    require_pairs(X.size(2));
    rotations<<<blocks_for(Y.count() / 2, kThreads), kThreads, 0, stream>>>(Y, X, offset);
    check(cudaGetLastError(), "rotations");
}

void rotary_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V, cudaStream_t stream) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2);
    const DeviceBuffer<float> queries(stream, B, N, D_q), keys(stream, B, N, D_q);
    const TensorView<float, 3> rotated_Q = queries.view(B, N, D_q), rotated_K = keys.view(B, N, D_q);
    rotary_positions(rotated_Q, Q, 0, stream);
    rotary_positions(rotated_K, K, 0, stream);
    scaled_dot_product_attention(Y, A, rotated_Q, rotated_K, V, stream);
}

void alibi_bias(TensorView<float, 3> bias, cudaStream_t stream) {
    biases<<<blocks_for(bias.count(), kThreads), kThreads, 0, stream>>>(bias);
    check(cudaGetLastError(), "biases");
}

}  // namespace attn::cuda
