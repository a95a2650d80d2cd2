// The reference for assignment 3, as kernels: an outer loop of multi_head.cpp becomes threads here.

#include <cstddef>
#include <stdexcept>
#include <string>

#include "device.h"
#include "masking_cuda.h"
#include "multi_head_cuda.h"
#include "self_attention_cuda.h"

namespace attn::cuda {
namespace {

constexpr int kThreads = 128;

/// D/H. Throws std::invalid_argument if H does not divide D.
int head_width(int D, int H) {
    if (H >= 1 && D % H == 0) return D / H;
    throw std::invalid_argument("H = " + std::to_string(H) + " heads do not divide D = " + std::to_string(D));
}

/// Y[b, h, i, d] = X[b, i, h D_h + d]      Y [B, H, N, D_h]. A thread owns one number of Y.
__global__ void split(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, h, i, d] = index_in(Y, n);
    const int D_h = Y.size(3);
    Y(b, h, i, d) = X(b, i, h * D_h + d);
}

/// Y[b, i, h D_h + d] = X[b, h, i, d]      X [B, H, N, D_h]. A thread owns one number of X.
__global__ void merge(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    const std::ptrdiff_t n = thread_number();
    if (n >= X.count()) return;
    const auto [b, h, i, d] = index_in(X, n);
    const int D_h = X.size(3);
    Y(b, i, h * D_h + d) = X(b, h, i, d);
}

/// Y = X W + b      X [B, N, D_in], W [D_in, D_out], b [D_out], Y [B, N, D_out]. A thread owns one number of
/// Y.
__global__ void project(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W,
                        TensorView<const float, 1> bias) {
    const std::ptrdiff_t n = thread_number();
    if (n >= Y.count()) return;
    const auto [b, i, d] = index_in(Y, n);
    float sum = 0;
    for (int k = 0; k < X.size(2); ++k) sum += X(b, i, k) * W(k, d);
    Y(b, i, d) = sum + bias(d);
}

/// M[b, h, i, j] = mask[b, i, j]      M [B, H, N_q, N_k]. A thread owns one element of M.
__global__ void repeat_for_heads(TensorView<std::uint8_t, 4> M, TensorView<const std::uint8_t, 3> mask) {
    const std::ptrdiff_t n = thread_number();
    if (n >= M.count()) return;
    const auto [b, h, i, j] = index_in(M, n);
    M(b, h, i, j) = mask(b, i, j);
}

void start_project(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W,
                   TensorView<const float, 1> bias, cudaStream_t stream) {
    project<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X, W, bias);
    check(cudaGetLastError(), "project");
}

}  // namespace

void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X, cudaStream_t stream) {
    head_width(X.size(2), Y.size(1));
    split<<<blocks_for(Y.count(), kThreads), kThreads, 0, stream>>>(Y, X);
    check(cudaGetLastError(), "split");
}

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X, cudaStream_t stream) {
    merge<<<blocks_for(X.count(), kThreads), kThreads, 0, stream>>>(Y, X);
    check(cudaGetLastError(), "merge");
}

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H, cudaStream_t stream) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    const int D_h = head_width(D, H);

    // Q = X_q W_Q + b_Q, K = X_kv W_K + b_K, V = X_kv W_V + b_V
    const DeviceBuffer<float> q(stream, B, N_q, D), k(stream, B, N_k, D), v(stream, B, N_k, D);
    const TensorView<float, 3> Q = q.view(B, N_q, D), K = k.view(B, N_k, D), V = v.view(B, N_k, D);
    start_project(Q, X_q, weights.W_Q, weights.b_Q, stream);
    start_project(K, X_kv, weights.W_K, weights.b_K, stream);
    start_project(V, X_kv, weights.W_V, weights.b_V, stream);
    const DeviceBuffer<float> q_heads(stream, B, N_q, D), k_heads(stream, B, N_k, D),
        v_heads(stream, B, N_k, D);
    split_heads(q_heads.view(B, H, N_q, D_h), Q, stream);
    split_heads(k_heads.view(B, H, N_k, D_h), K, stream);
    split_heads(v_heads.view(B, H, N_k, D_h), V, stream);

    // O_h = softmax(Q_h K_h^T / sqrt(D/H)) V_h: every head of every batch is one batch of this call
    const DeviceBuffer<float> o_heads(stream, B, N_q, D);
    const TensorView<float, 3> Q_h = q_heads.view(B * H, N_q, D_h), K_h = k_heads.view(B * H, N_k, D_h),
                               V_h = v_heads.view(B * H, N_k, D_h), O_h = o_heads.view(B * H, N_q, D_h);
    if (mask) {
        const DeviceBuffer<std::uint8_t> masks(stream, B, H, N_q, N_k);
        const TensorView<std::uint8_t, 4> M = masks.view(B, H, N_q, N_k);
        repeat_for_heads<<<blocks_for(M.count(), kThreads), kThreads, 0, stream>>>(M, mask);
        check(cudaGetLastError(), "repeat_for_heads");
        masked_attention(O_h, {}, Q_h, K_h, V_h, masks.view(B * H, N_q, N_k), stream);
    } else {
        scaled_dot_product_attention(O_h, {}, Q_h, K_h, V_h, stream);
    }

    // Y = [O_0, .., O_{H-1}] W_O + b_O
    const DeviceBuffer<float> o(stream, B, N_q, D);
    merge_heads(o.view(B, N_q, D), o_heads.view(B, H, N_q, D_h), stream);
    start_project(Y, o.view(B, N_q, D), weights.W_O, weights.b_O, stream);
}

}  // namespace attn::cuda
