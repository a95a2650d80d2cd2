// The reference for assignment 13, as kernels: an outer loop of backward.cpp becomes threads here. A thread
// owns one number of a gradient and sums over everything that this number was used for. So no two threads add
// to the same number.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backward_cuda.h"
#include "device.h"
#include "masking_cuda.h"
#include "multi_head_cuda.h"
#include "self_attention_cuda.h"
#include "transformer_block_cuda.h"
#include "vit_patching_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;
constexpr float kRootOf2 = 1.41421356f, kRootOf2OverPi = 0.79788456f, kRootOfHalfOverPi = 0.39894228f;

using Numbers = DeviceBuffer<float>;

/// The rows of all batches, one after the other: [B, N, D] as [B N, D].
template <class T>
TensorView<T, 2> flat(TensorView<T, 3> X) {
    return {X.data(), X.size(0) * X.size(1), X.size(2)};
}

/// Any array as one row of all its numbers.
template <class T, int Rank>
TensorView<T, 1> all_of(TensorView<T, Rank> X) {
    return {X.data(), static_cast<int>(X.count())};
}

void require_heads(int D, int H) {
    if (H >= 1 && D % H == 0) return;
    throw std::invalid_argument("H = " + std::to_string(H) + " heads do not divide D = " + std::to_string(D));
}

void require_activation(Activation activation) {
    for (const Activation known : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh})
        if (activation == known) return;
    throw std::invalid_argument("activation " + std::to_string(static_cast<int>(activation)) +
                                " is none of relu, gelu_erf, gelu_tanh");
}

/// The number of targets that count. Throws std::invalid_argument for one outside -1 .. V - 1. The host has to
/// copy the numbers to see them.
int targets_that_count(TensorView<const int, 2> targets, int V, cudaStream_t stream) {
    std::vector<int> numbers(static_cast<std::size_t>(targets.count()));
    check(cudaMemcpyAsync(numbers.data(), targets.data(), numbers.size() * sizeof(int),
                          cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    int count = 0;
    for (const int number : numbers) {
        if (number < -1 || number >= V) throw std::invalid_argument("there is no such target");
        count += number == -1 ? 0 : 1;
    }
    return count;
}

/// Y = X W + b; b may be missing. A thread owns one number of Y.
__global__ void product_sums(TensorView<float, 2> Y, TensorView<const float, 2> X,
                             TensorView<const float, 2> W, TensorView<const float, 1> b) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, f] = index_in(Y, n);
    float sum = 0;
    for (int d = 0; d < X.size(1); ++d) sum += X(i, d) * W(d, f);
    Y(i, f) = b ? sum + b(f) : sum;
}

void affine(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W,
            TensorView<const float, 1> b, cudaStream_t stream) {
    product_sums<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, b);
    check(cudaGetLastError(), "product_sums");
}

/// dX = dY W^T. A thread owns one number of dX.
__global__ void input_sums(TensorView<float, 2> dX, TensorView<const float, 2> dY,
                           TensorView<const float, 2> W) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dX.count()) return;
    const auto [i, d] = index_in(dX, n);
    float sum = 0;
    for (int f = 0; f < dY.size(1); ++f) sum += dY(i, f) * W(d, f);
    dX(i, d) = sum;
}

void input_gradient(TensorView<float, 2> dX, TensorView<const float, 2> dY, TensorView<const float, 2> W,
                    cudaStream_t stream) {
    input_sums<<<blocks_for(dX.count(), kThreads), kThreads, 0, stream>>>(dX, dY, W);
    check(cudaGetLastError(), "input_sums");
}

/// dW = X^T dY. A thread owns one number of dW, and walks along the rows.
__global__ void weight_sums(TensorView<float, 2> dW, TensorView<const float, 2> X,
                            TensorView<const float, 2> dY) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dW.count()) return;
    const auto [d, f] = index_in(dW, n);
    float sum = 0;
    for (int i = 0; i < X.size(0); ++i) sum += X(i, d) * dY(i, f);
    dW(d, f) = sum;
}

void weight_gradient(TensorView<float, 2> dW, TensorView<const float, 2> X, TensorView<const float, 2> dY,
                     cudaStream_t stream) {
    weight_sums<<<blocks_for(dW.count(), kThreads), kThreads, 0, stream>>>(dW, X, dY);
    check(cudaGetLastError(), "weight_sums");
}

/// db = sum_i dY[i]. A thread owns one number of db.
__global__ void row_sums(TensorView<float, 1> db, TensorView<const float, 2> dY) {
    const std::ptrdiff_t n = thread_number();
    if (n >= db.count()) return;
    const int d = static_cast<int>(n);
    float sum = 0;
    for (int i = 0; i < dY.size(0); ++i) sum += dY(i, d);
    db(d) = sum;
}

void bias_gradient(TensorView<float, 1> db, TensorView<const float, 2> dY, cudaStream_t stream) {
    row_sums<<<blocks_for(db.count(), kThreads), kThreads, 0, stream>>>(db, dY);
    check(cudaGetLastError(), "row_sums");
}

/// X += Y. A thread owns one number of X.
__global__ void added(TensorView<float, 1> X, TensorView<const float, 1> Y) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    X(static_cast<int>(n)) += Y(static_cast<int>(n));
}

template <class To, class From>
void accumulate(To X, From Y, cudaStream_t stream) {
    added<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(all_of(X), all_of(Y));
    check(cudaGetLastError(), "added");
}

/// X = 0
template <class To>
void clear(To X, cudaStream_t stream) {
    check(cudaMemsetAsync(X.data(), 0, static_cast<std::size_t>(X.count()) * sizeof(float), stream),
          "cudaMemsetAsync");
}

/// dE = A (dA - sum_k dA A). A thread owns one row.
__global__ void weights_to_scores(TensorView<float, 2> dE, TensorView<const float, 2> dA,
                                  TensorView<const float, 2> A) {
    const std::ptrdiff_t n = thread_number();
    if (n >= A.size(0)) return;
    const int i = static_cast<int>(n);
    float sum = 0;
    for (int k = 0; k < A.size(1); ++k) sum += dA(i, k) * A(i, k);
    for (int j = 0; j < A.size(1); ++j) dE(i, j) = A(i, j) * (dA(i, j) - sum);
}

void scores_gradient(TensorView<float, 2> dE, TensorView<const float, 2> dA, TensorView<const float, 2> A,
                     cudaStream_t stream) {
    weights_to_scores<<<blocks_for(A.size(0), kThreads), kThreads, 0, stream>>>(dE, dA, A);
    check(cudaGetLastError(), "weights_to_scores");
}

/// dA = dY V^T. A thread owns one number of dA.
__global__ void of_weights(TensorView<float, 3> dA, TensorView<const float, 3> dY,
                           TensorView<const float, 3> V) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dA.count()) return;
    const auto [b, i, j] = index_in(dA, n);
    float sum = 0;
    for (int d = 0; d < V.size(2); ++d) sum += dY(b, i, d) * V(b, j, d);
    dA(b, i, j) = sum;
}

/// dQ = dE K / sqrt(D_q). A thread owns one number of dQ, and walks along the keys.
__global__ void of_queries(TensorView<float, 3> dQ, TensorView<const float, 3> dE,
                           TensorView<const float, 3> K) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dQ.count()) return;
    const auto [b, i, d] = index_in(dQ, n);
    float sum = 0;
    for (int j = 0; j < K.size(1); ++j) sum += dE(b, i, j) * K(b, j, d);
    dQ(b, i, d) = sum / sqrtf(static_cast<float>(K.size(2)));
}

/// dK = dE^T Q / divisor, and dV = A^T dY. A thread owns one number of dK, and walks along the queries.
__global__ void of_keys(TensorView<float, 3> dK, TensorView<const float, 3> dE, TensorView<const float, 3> Q,
                        float divisor) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dK.count()) return;
    const auto [b, j, d] = index_in(dK, n);
    float sum = 0;
    for (int i = 0; i < Q.size(1); ++i) sum += dE(b, i, j) * Q(b, i, d);
    dK(b, j, d) = sum / divisor;
}

/// dQ, dK and dV of Y = A V, A = softmax(Q K^T / sqrt(D_q)).
void attention_gradients(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                         TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                         TensorView<const float, 3> K, TensorView<const float, 3> V,
                         TensorView<const float, 3> A, cudaStream_t stream) {
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const Numbers weights(stream, B, N_q, N_k), scores(stream, B, N_q, N_k);
    const TensorView<float, 3> dA = weights.view(B, N_q, N_k), dE = scores.view(B, N_q, N_k);
    of_weights<<<blocks_for(dA.count(), kThreads), kThreads, 0, stream>>>(dA, dY, V);
    check(cudaGetLastError(), "of_weights");
    scores_gradient(flat(dE), flat(dA), flat(A), stream);
    of_queries<<<blocks_for(dQ.count(), kThreads), kThreads, 0, stream>>>(dQ, dE, K);
    check(cudaGetLastError(), "of_queries");
    of_keys<<<blocks_for(dK.count(), kThreads), kThreads, 0, stream>>>(dK, dE, Q,
                                                                       sqrtf(static_cast<float>(Q.size(2))));
    check(cudaGetLastError(), "of_keys");
    of_keys<<<blocks_for(dV.count(), kThreads), kThreads, 0, stream>>>(dV, A, dY, 1.0f);
    check(cudaGetLastError(), "of_keys");
}

/// mask[b], repeated for each head. A thread owns one entry.
__global__ void repeat_mask(TensorView<std::uint8_t, 4> M, TensorView<const std::uint8_t, 3> mask) {
    const std::ptrdiff_t n = thread_number();
    if (n >= M.count()) return;
    const auto [b, h, i, j] = index_in(M, n);
    M(b, h, i, j) = mask(b, i, j);
}

/// What a row of the layer norm and its backward need.
struct RowStatistics {
    float mu, sigma, mean_g, mean_gx;
};

__device__ RowStatistics statistics(TensorView<const float, 2> dY, TensorView<const float, 2> X,
                                    TensorView<const float, 1> gamma, int i, float eps) {
    const int D = X.size(1);
    const auto count = static_cast<float>(D);
    float mu = 0, var = 0, mean_g = 0, mean_gx = 0;
    for (int d = 0; d < D; ++d) mu += X(i, d);
    mu /= count;
    for (int d = 0; d < D; ++d) var += (X(i, d) - mu) * (X(i, d) - mu);
    const float sigma = sqrtf(var / count + eps);
    for (int d = 0; d < D; ++d) {
        mean_g += dY(i, d) * gamma(d);
        mean_gx += dY(i, d) * gamma(d) * (X(i, d) - mu) / sigma;
    }
    return {mu, sigma, mean_g / count, mean_gx / count};
}

/// dX of a layer norm, and x_hat. A thread owns one row.
__global__ void norm_rows(TensorView<float, 2> dX, TensorView<float, 2> x_hat, TensorView<const float, 2> dY,
                          TensorView<const float, 2> X, TensorView<const float, 1> gamma, float eps) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.size(0)) return;
    const int i = static_cast<int>(n);
    const RowStatistics row = statistics(dY, X, gamma, i, eps);
    for (int d = 0; d < X.size(1); ++d) {
        x_hat(i, d) = (X(i, d) - row.mu) / row.sigma;
        dX(i, d) = (dY(i, d) * gamma(d) - row.mean_g - x_hat(i, d) * row.mean_gx) / row.sigma;
    }
}

/// dgamma = sum_i dY x_hat. A thread owns one feature.
__global__ void norm_gains(TensorView<float, 1> dgamma, TensorView<const float, 2> dY,
                           TensorView<const float, 2> x_hat) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dgamma.count()) return;
    const int d = static_cast<int>(n);
    float sum = 0;
    for (int i = 0; i < dY.size(0); ++i) sum += dY(i, d) * x_hat(i, d);
    dgamma(d) = sum;
}

/// An activation and its derivative.
struct Activated {
    float value, slope;
};

__device__ Activated activated(float x, Activation activation) {
    if (activation == Activation::relu) return {x < 0 ? 0.0f : x, x > 0 ? 1.0f : 0.0f};
    if (activation == Activation::gelu_erf) {
        const float Phi = (1 + erff(x / kRootOf2)) / 2;
        return {x * Phi, Phi + x * expf(-x * x / 2) * kRootOfHalfOverPi};
    }
    const float t = tanhf(kRootOf2OverPi * (x + 0.044715f * x * x * x));
    return {x * (1 + t) / 2,
            (1 + t) / 2 + x * (1 - t * t) * kRootOf2OverPi * (1 + 3 * 0.044715f * x * x) / 2};
}

/// M = activation(U), dU = dU activation'(U). A thread owns one number.
__global__ void through_activation(TensorView<float, 2> M, TensorView<float, 2> dU,
                                   TensorView<const float, 2> U, Activation activation) {
    const std::ptrdiff_t n = thread_number();
    if (n >= U.count()) return;
    const auto [i, f] = index_in(U, n);
    const Activated at = activated(U(i, f), activation);
    M(i, f) = at.value;
    dU(i, f) *= at.slope;
}

/// Rows first .. of X, of which the result has as many as Y has. A thread owns one number of Y.
__global__ void take_rows(TensorView<float, 3> Y, TensorView<const float, 3> X, int first) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, i, d] = index_in(Y, n);
    Y(b, i, d) = X(b, first + i, d);
}

/// Y = sum_b X[b]. A thread owns one number of Y.
__global__ void sum_over_batches(TensorView<float, 2> Y, TensorView<const float, 3> X) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [i, d] = index_in(Y, n);
    float sum = 0;
    for (int b = 0; b < X.size(0); ++b) sum += X(b, i, d);
    Y(i, d) = sum;
}

/// dlogits = dloss (p - q) / n. p stands in dlogits. A thread owns one logit.
__global__ void through_loss(TensorView<float, 3> dlogits, TensorView<const float, 1> dloss,
                             TensorView<const int, 2> targets, float smoothing, int counted) {
    const std::ptrdiff_t n = thread_number();
    if (n >= dlogits.count()) return;
    const auto [b, i, v] = index_in(dlogits, n);
    const int target = targets(b, i);
    const float q = (v == target ? 1 - smoothing : 0.0f) + smoothing / static_cast<float>(dlogits.size(2));
    dlogits(b, i, v) = target == -1 ? 0.0f : dloss(0) * (dlogits(b, i, v) - q) / static_cast<float>(counted);
}

}  // namespace

void softmax_backward(TensorView<float, 2> dX, TensorView<const float, 2> dY, TensorView<const float, 2> X,
                      cudaStream_t stream) {
    const Numbers weights(stream, X.size(0), X.size(1));
    const TensorView<float, 2> Y = weights.view(X.size(0), X.size(1));
    softmax(Y, X, stream);
    scores_gradient(dX, dY, Y, stream);
}

void scaled_dot_product_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK,
                                           TensorView<float, 3> dV, TensorView<const float, 3> dY,
                                           TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                           TensorView<const float, 3> V, cudaStream_t stream) {
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1), D_v = V.size(2);
    const Numbers weights(stream, B, N_q, N_k), outputs(stream, B, N_q, D_v);
    const TensorView<float, 3> A = weights.view(B, N_q, N_k);
    scaled_dot_product_attention(outputs.view(B, N_q, D_v), A, Q, K, V, stream);
    attention_gradients(dQ, dK, dV, dY, Q, K, V, A, stream);
}

void masked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                               TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                               TensorView<const float, 3> K, TensorView<const float, 3> V,
                               TensorView<const std::uint8_t, 3> mask, cudaStream_t stream) {
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1), D_v = V.size(2);
    const Numbers weights(stream, B, N_q, N_k), outputs(stream, B, N_q, D_v);
    const TensorView<float, 3> A = weights.view(B, N_q, N_k);
    masked_attention(outputs.view(B, N_q, D_v), A, Q, K, V, mask, stream);
    attention_gradients(dQ, dK, dV, dY, Q, K, V, A, stream);
}

void self_attention_backward(TensorView<float, 3> dX, TensorView<float, 2> dW_Q, TensorView<float, 2> dW_K,
                             TensorView<float, 2> dW_V, TensorView<const float, 3> dY,
                             TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                             TensorView<const float, 2> W_K, TensorView<const float, 2> W_V,
                             cudaStream_t stream) {
    const int B = X.size(0), N = X.size(1), D_x = X.size(2), D_q = W_Q.size(1), D_v = W_V.size(1);
    const Numbers q(stream, B, N, D_q), k(stream, B, N, D_q), v(stream, B, N, D_v), dq(stream, B, N, D_q),
        dk(stream, B, N, D_q), dv(stream, B, N, D_v), path(stream, B, N, D_x);
    const TensorView<float, 3> Q = q.view(B, N, D_q), K = k.view(B, N, D_q), V = v.view(B, N, D_v),
                               dQ = dq.view(B, N, D_q), dK = dk.view(B, N, D_q), dV = dv.view(B, N, D_v),
                               from = path.view(B, N, D_x);
    affine(flat(Q), flat(X), W_Q, {}, stream);
    affine(flat(K), flat(X), W_K, {}, stream);
    affine(flat(V), flat(X), W_V, {}, stream);
    scaled_dot_product_attention_backward(dQ, dK, dV, dY, Q, K, V, stream);
    // dX = dQ W_Q^T + dK W_K^T + dV W_V^T
    input_gradient(flat(dX), flat(dQ), W_Q, stream);
    input_gradient(flat(from), flat(dK), W_K, stream);
    accumulate(dX, from, stream);
    input_gradient(flat(from), flat(dV), W_V, stream);
    accumulate(dX, from, stream);
    weight_gradient(dW_Q, flat(X), flat(dQ), stream);
    weight_gradient(dW_K, flat(X), flat(dK), stream);
    weight_gradient(dW_V, flat(X), flat(dV), stream);
}

void multi_head_attention_backward(TensorView<float, 3> dX_q, TensorView<float, 3> dX_kv,
                                   const MultiHeadGradients<float>& gradients, TensorView<const float, 3> dY,
                                   TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                   const MultiHeadWeights<float>& weights,
                                   TensorView<const std::uint8_t, 3> mask, int H, cudaStream_t stream) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    require_heads(D, H);
    const int D_h = D / H;
    // Side by side: Q, K, V, dO. Head by head: the same, and O, dQ, dK, dV.
    const Numbers q(stream, B, N_q, D), k(stream, B, N_k, D), v(stream, B, N_k, D), o(stream, B, N_q, D),
        q_h(stream, B, N_q, D), k_h(stream, B, N_k, D), v_h(stream, B, N_k, D), o_h(stream, B, N_q, D),
        dq_h(stream, B, N_q, D), dk_h(stream, B, N_k, D), dv_h(stream, B, N_k, D), do_h(stream, B, N_q, D);
    const TensorView<float, 3> Q = q.view(B, N_q, D), K = k.view(B, N_k, D), V = v.view(B, N_k, D),
                               O = o.view(B, N_q, D);
    affine(flat(Q), flat(X_q), weights.W_Q, weights.b_Q, stream);
    affine(flat(K), flat(X_kv), weights.W_K, weights.b_K, stream);
    affine(flat(V), flat(X_kv), weights.W_V, weights.b_V, stream);
    input_gradient(flat(O), flat(dY), weights.W_O, stream);  // dO = dY W_O^T
    split_heads(q_h.view(B, H, N_q, D_h), Q, stream);
    split_heads(k_h.view(B, H, N_k, D_h), K, stream);
    split_heads(v_h.view(B, H, N_k, D_h), V, stream);
    split_heads(do_h.view(B, H, N_q, D_h), O, stream);
    // Every head of every batch is one batch of these calls.
    const auto of_q = [&](const Numbers& x) { return x.view(B * H, N_q, D_h); };
    const auto of_k = [&](const Numbers& x) { return x.view(B * H, N_k, D_h); };
    const DeviceBuffer<std::uint8_t> masks(stream, B, H, N_q, N_k);
    if (mask) {
        const TensorView<std::uint8_t, 4> M = masks.view(B, H, N_q, N_k);
        repeat_mask<<<blocks_for(M.count(), kThreads), kThreads, 0, stream>>>(M, mask);
        check(cudaGetLastError(), "repeat_mask");
        const TensorView<const std::uint8_t, 3> M_h = masks.view(B * H, N_q, N_k);
        masked_attention(of_q(o_h), {}, of_q(q_h), of_k(k_h), of_k(v_h), M_h, stream);
        masked_attention_backward(of_q(dq_h), of_k(dk_h), of_k(dv_h), of_q(do_h), of_q(q_h), of_k(k_h),
                                  of_k(v_h), M_h, stream);
    } else {
        scaled_dot_product_attention(of_q(o_h), {}, of_q(q_h), of_k(k_h), of_k(v_h), stream);
        scaled_dot_product_attention_backward(of_q(dq_h), of_k(dk_h), of_k(dv_h), of_q(do_h), of_q(q_h),
                                              of_k(k_h), of_k(v_h), stream);
    }
    // From here on Q, K, V hold dQ, dK, dV.
    merge_heads(O, o_h.view(B, H, N_q, D_h), stream);
    merge_heads(Q, dq_h.view(B, H, N_q, D_h), stream);
    merge_heads(K, dk_h.view(B, H, N_k, D_h), stream);
    merge_heads(V, dv_h.view(B, H, N_k, D_h), stream);
    const TensorView<float, 3> from_V = k_h.view(B, N_k, D);
    input_gradient(flat(dX_q), flat(Q), weights.W_Q, stream);
    input_gradient(flat(dX_kv), flat(K), weights.W_K, stream);
    input_gradient(flat(from_V), flat(V), weights.W_V, stream);
    accumulate(dX_kv, from_V, stream);
    weight_gradient(gradients.dW_Q, flat(X_q), flat(Q), stream);
    weight_gradient(gradients.dW_K, flat(X_kv), flat(K), stream);
    weight_gradient(gradients.dW_V, flat(X_kv), flat(V), stream);
    weight_gradient(gradients.dW_O, flat(O), flat(dY), stream);
    bias_gradient(gradients.db_Q, flat(Q), stream);
    bias_gradient(gradients.db_K, flat(K), stream);
    bias_gradient(gradients.db_V, flat(V), stream);
    bias_gradient(gradients.db_O, flat(dY), stream);
}

void layer_norm_backward(TensorView<float, 2> dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                         TensorView<const float, 2> dY, TensorView<const float, 2> X,
                         TensorView<const float, 1> gamma, TensorView<const float, 1> /*beta*/, float eps,
                         cudaStream_t stream) {
    const Numbers normalised(stream, X.size(0), X.size(1));
    const TensorView<float, 2> x_hat = normalised.view(X.size(0), X.size(1));
    norm_rows<<<blocks_for(X.size(0), kThreads), kThreads, 0, stream>>>(dX, x_hat, dY, X, gamma, eps);
    check(cudaGetLastError(), "norm_rows");
    norm_gains<<<blocks_for(dgamma.count(), kThreads), kThreads, 0, stream>>>(dgamma, dY, x_hat);
    check(cudaGetLastError(), "norm_gains");
    bias_gradient(dbeta, dY, stream);
}

void feed_forward_backward(TensorView<float, 2> dX, TensorView<float, 2> dW_1, TensorView<float, 1> db_1,
                           TensorView<float, 2> dW_2, TensorView<float, 1> db_2,
                           TensorView<const float, 2> dY, TensorView<const float, 2> X,
                           TensorView<const float, 2> W_1, TensorView<const float, 1> b_1,
                           TensorView<const float, 2> W_2, TensorView<const float, 1> /*b_2*/,
                           Activation activation, cudaStream_t stream) {
    require_activation(activation);
    const int N = X.size(0), F = W_1.size(1);
    const Numbers sums(stream, N, F), hidden(stream, N, F), dsums(stream, N, F);
    const TensorView<float, 2> U = sums.view(N, F), M = hidden.view(N, F), dU = dsums.view(N, F);
    affine(U, X, W_1, b_1, stream);
    input_gradient(dU, dY, W_2, stream);
    through_activation<<<blocks_for(U.count(), kThreads), kThreads, 0, stream>>>(M, dU, U, activation);
    check(cudaGetLastError(), "through_activation");
    input_gradient(dX, dU, W_1, stream);
    weight_gradient(dW_1, X, dU, stream);
    weight_gradient(dW_2, M, dY, stream);
    bias_gradient(db_1, dU, stream);
    bias_gradient(db_2, dY, stream);
}

void transformer_block_backward(TensorView<float, 3> dX, const BlockGradients<float>& gradients,
                                TensorView<const float, 3> dY, TensorView<const float, 3> X,
                                const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask,
                                int H, Norm norm, Activation activation, float eps, cudaStream_t stream) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    require_heads(D, H);
    require_activation(activation);
    const Numbers inner(stream, B, N, D), sum(stream, B, N, D), fed(stream, B, N, D), dinner(stream, B, N, D),
        dsum(stream, B, N, D), keys(stream, B, N, D);
    const TensorView<float, 3> L = inner.view(B, N, D), Z = sum.view(B, N, D), M = fed.view(B, N, D),
                               dL = dinner.view(B, N, D), dZ = dsum.view(B, N, D), dkeys = keys.view(B, N, D);
    const auto norm_1_backward = [&](TensorView<float, 3> dfrom, TensorView<const float, 3> dto,
                                     TensorView<const float, 3> from) {
        layer_norm_backward(flat(dfrom), gradients.dgamma_1, gradients.dbeta_1, flat(dto), flat(from),
                            weights.gamma_1, weights.beta_1, eps, stream);
    };
    const auto norm_2_backward = [&](TensorView<float, 3> dfrom, TensorView<const float, 3> dto,
                                     TensorView<const float, 3> from) {
        layer_norm_backward(flat(dfrom), gradients.dgamma_2, gradients.dbeta_2, flat(dto), flat(from),
                            weights.gamma_2, weights.beta_2, eps, stream);
    };
    const auto feed_backward = [&](TensorView<float, 3> dfrom, TensorView<const float, 3> dto,
                                   TensorView<const float, 3> from) {
        feed_forward_backward(flat(dfrom), gradients.dW_1, gradients.db_1, gradients.dW_2, gradients.db_2,
                              flat(dto), flat(from), weights.W_1, weights.b_1, weights.W_2, weights.b_2,
                              activation, stream);
    };
    const auto attend_backward = [&](TensorView<float, 3> dfrom, TensorView<const float, 3> dto,
                                     TensorView<const float, 3> from) {
        multi_head_attention_backward(dfrom, dkeys, gradients.attention, dto, from, from, weights.attention,
                                      mask, H, stream);
        accumulate(dfrom, dkeys, stream);
    };
    if (norm == Norm::post) {
        // Forward: Z = X + MHA(X, X), L = LN_1(Z), M = L + FF(L), Y = LN_2(M)
        multi_head_attention(Z, X, X, weights.attention, mask, H, stream);
        accumulate(Z, X, stream);
        layer_norm(flat(L), flat(Z), weights.gamma_1, weights.beta_1, eps, stream);
        feed_forward(flat(M), flat(L), weights.W_1, weights.b_1, weights.W_2, weights.b_2, activation,
                     stream);
        accumulate(M, L, stream);
        norm_2_backward(dZ, dY, M);
        feed_backward(dL, dZ, L);
        accumulate(dL, dZ, stream);
        norm_1_backward(dZ, dL, Z);
        attend_backward(dX, dZ, X);
    } else {
        // Forward: Z = X + MHA(LN_1(X), LN_1(X)), Y = Z + FF(LN_2(Z))
        layer_norm(flat(L), flat(X), weights.gamma_1, weights.beta_1, eps, stream);
        multi_head_attention(Z, L, L, weights.attention, mask, H, stream);
        accumulate(Z, X, stream);
        layer_norm(flat(M), flat(Z), weights.gamma_2, weights.beta_2, eps, stream);
        feed_backward(dL, dY, M);
        norm_2_backward(dZ, dL, Z);
        accumulate(dZ, dY, stream);
        attend_backward(dL, dZ, L);
        norm_1_backward(dX, dL, X);
    }
    accumulate(dX, dZ, stream);
}

void embed_patches_backward(TensorView<float, 4> dX, TensorView<float, 2> dE, TensorView<float, 1> db,
                            TensorView<float, 1> dcls, TensorView<float, 2> dE_pos,
                            TensorView<const float, 3> dZ, TensorView<const float, 4> X,
                            TensorView<const float, 2> E, TensorView<const float, 1> /*b*/,
                            TensorView<const float, 1> /*cls*/, TensorView<const float, 2> /*E_pos*/, int P,
                            cudaStream_t stream) {
    const int B = X.size(0), D = E.size(1), features = E.size(0), N = dZ.size(1) - 1;
    const Numbers cut(stream, B, N, features), dcut(stream, B, N, features), behind(stream, B, N, D),
        first(stream, B, 1, D);
    const TensorView<float, 3> patches = cut.view(B, N, features), dpatches = dcut.view(B, N, features),
                               of_patches = behind.view(B, N, D), of_class = first.view(B, 1, D);
    patchify(patches, X, P, stream);
    take_rows<<<blocks_for(of_patches.count(), kThreads), kThreads, 0, stream>>>(of_patches, dZ, 1);
    check(cudaGetLastError(), "take_rows");
    take_rows<<<blocks_for(of_class.count(), kThreads), kThreads, 0, stream>>>(of_class, dZ, 0);
    check(cudaGetLastError(), "take_rows");
    weight_gradient(dE, flat(patches), flat(of_patches), stream);
    bias_gradient(db, flat(of_patches), stream);
    bias_gradient(dcls, flat(of_class), stream);
    sum_over_batches<<<blocks_for(dE_pos.count(), kThreads), kThreads, 0, stream>>>(dE_pos, dZ);
    check(cudaGetLastError(), "sum_over_batches");
    input_gradient(flat(dpatches), flat(of_patches), E, stream);
    unpatchify(dX, dpatches, P, stream);
}

void cross_entropy_backward(TensorView<float, 3> dlogits, TensorView<const float, 1> dloss,
                            TensorView<const float, 3> logits, TensorView<const int, 2> targets,
                            float smoothing, cudaStream_t stream) {
    const int counted = targets_that_count(targets, logits.size(2), stream);
    softmax(flat(dlogits), flat(logits), stream);  // p
    through_loss<<<blocks_for(dlogits.count(), kThreads), kThreads, 0, stream>>>(dlogits, dloss, targets,
                                                                                 smoothing, counted);
    check(cudaGetLastError(), "through_loss");
}

}  // namespace attn::cuda
