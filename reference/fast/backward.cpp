#include <algorithm>
#include <cstring>

#include "contracts/backward_fast.h"
#include "contracts/vit_patching_fast.h"
#include "reference/fast/attention.h"
#include "reference/fast/buffer.h"
#include "reference/fast/gradient_kernels.h"
#include "reference/fast/gradients.h"
#include "reference/fast/kept_block.h"
#include "reference/fast/kernels.h"
#include "reference/fast/matmul.h"
#include "reference/fast/threads.h"
#include "reference/refusals.h"

namespace attn::fast {
namespace {

/// The matrices of a dense [B, N, D] array, as heads of attention().
template <class T>
Heads<T> batches(TensorView<T, 3> X) {
    return {X.data(), std::ptrdiff_t{X.size(1)} * X.size(2), 0, X.size(2)};
}

}  // namespace

void softmax_backward(TensorView<float, 2> dX, TensorView<const float, 2> dY, TensorView<const float, 2> X) {
    const int D = X.size(1);
    for_row_blocks(X.size(0), D, [&](int first, int end) {
        thread_local Buffer buffer;
        float* const y = buffer.get(static_cast<std::size_t>(D));
        for (int i = first; i < end; ++i) {
            kernels().softmax_row(y, X[i].data(), D);
            gradient_kernels().softmax(dX[i].data(), dY[i].data(), y, 1, D);
        }
    });
}

void scaled_dot_product_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK,
                                           TensorView<float, 3> dV, TensorView<const float, 3> dY,
                                           TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                           TensorView<const float, 3> V) {
    fast::masked_attention_backward(dQ, dK, dV, dY, Q, K, V, {});
}

void masked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                               TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                               TensorView<const float, 3> K, TensorView<const float, 3> V,
                               TensorView<const std::uint8_t, 3> mask) {
    const int N_q = Q.size(1), N_k = K.size(1);
    attention_backward(batches(dQ), batches(dK), batches(dV), batches(dY), batches(Q), batches(K), batches(V),
                       {Q.size(0), 1, N_q, N_k, Q.size(2), V.size(2)},
                       mask ? Mask{mask.data(), std::ptrdiff_t{N_q} * N_k, 0, N_k} : Mask{});
}

void self_attention_backward(TensorView<float, 3> dX, TensorView<float, 2> dW_Q, TensorView<float, 2> dW_K,
                             TensorView<float, 2> dW_V, TensorView<const float, 3> dY,
                             TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                             TensorView<const float, 2> W_K, TensorView<const float, 2> W_V) {
    const int B = X.size(0), N = X.size(1), D_q = W_Q.size(1), D_v = W_V.size(1);
    thread_local Buffer buffer;
    float* next = buffer.get(numbers(B, N, 4 * D_q + 2 * D_v));
    const auto take = [&](int D) {
        const TensorView<float, 3> view(next, B, N, D);
        next += view.count();
        return view;
    };
    const auto Q = take(D_q), K = take(D_q), dQ = take(D_q), dK = take(D_q), V = take(D_v), dV = take(D_v);
    multiply(Q, X, W_Q);
    multiply(K, X, W_K);
    multiply(V, X, W_V);
    fast::masked_attention_backward(dQ, dK, dV, dY, Q, K, V, {});
    multiply_first_transposed(dW_Q, X, dQ);
    multiply_first_transposed(dW_K, X, dK);
    multiply_first_transposed(dW_V, X, dV);
    multiply_transposed(dX, dQ, W_Q, 1);
    add_product_transposed(dX, dK, W_K);
    add_product_transposed(dX, dV, W_V);
}

void multi_head_attention_backward(TensorView<float, 3> dX_q, TensorView<float, 3> dX_kv,
                                   const MultiHeadGradients<float>& gradients, TensorView<const float, 3> dY,
                                   TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                   const MultiHeadWeights<float>& weights,
                                   TensorView<const std::uint8_t, 3> mask, int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), N_k = X_kv.size(1), D = X_q.size(2);
    const std::ptrdiff_t row = D, D_h = head_width(D, H);
    thread_local Buffer buffer;
    float* next = buffer.get(numbers(B, 2 * N_q + 2 * N_k, D));
    const auto take = [&](int N) {
        const Matrix<float> matrix(next, B * N, D);
        next += numbers(B, N, D);
        return matrix;
    };
    const auto Q = take(N_q), O = take(N_q), K = take(N_k), V = take(N_k);
    linear(Q, X_q, weights.W_Q, weights.b_Q.data());
    linear(K, X_kv, weights.W_K, weights.b_K.data());
    linear(V, X_kv, weights.W_V, weights.b_V.data());
    const auto heads = [=](auto* data, int N) {
        return Heads<std::remove_pointer_t<decltype(data)>>{data, N * row, D_h, row};
    };
    const auto read = [](Matrix<float> X) { return static_cast<const float*>(X.data); };
    attention(heads(O.data, N_q), heads(read(Q), N_q), heads(read(K), N_k), heads(read(V), N_k),
              {B, H, N_q, N_k, D / H, D / H},
              {false, mask ? Mask{mask.data(), std::ptrdiff_t{N_q} * N_k, 0, N_k} : Mask{}});
    const ProjectionGradients d = multi_head_weights_backward(gradients, dY, X_q, X_kv, weights, mask, H,
                                                              {Q.data, K.data, V.data, O.data});
    multiply_transposed(dX_q, d.dQ, weights.W_Q, 1);
    multiply_transposed(dX_kv, d.dK, weights.W_K, 1);
    add_product_transposed(dX_kv, d.dV, weights.W_V);
}

void layer_norm_backward(TensorView<float, 2> dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                         TensorView<const float, 2> dY, TensorView<const float, 2> X,
                         TensorView<const float, 1> gamma, TensorView<const float, 1> /*beta*/, float eps) {
    std::fill_n(dX.data(), dX.count(), 0.0F);
    add_layer_norm_backward(dX, dgamma.data(), dbeta.data(), dY, X, gamma.data(), eps);
}

void feed_forward_backward(TensorView<float, 2> dX, TensorView<float, 2> dW_1, TensorView<float, 1> db_1,
                           TensorView<float, 2> dW_2, TensorView<float, 1> db_2,
                           TensorView<const float, 2> dY, TensorView<const float, 2> X,
                           TensorView<const float, 2> W_1, TensorView<const float, 1> b_1,
                           TensorView<const float, 2> W_2, TensorView<const float, 1> /*b_2*/,
                           Activation activation) {
    const int N = X.size(0), F = W_1.size(1);
    thread_local Buffer buffer;
    Workspace arrays(buffer, 3 * numbers(N, F));
    const Matrix<float> U(arrays.take(N, F)), M(arrays.take(N, F)), dU(arrays.take(N, F));
    linear(U, X, W_1, b_1.data());
    multiply_transposed(dU, dY, W_2, 1);
    activation_backward(M, dU, U, activation);
    linear_weights_backward(dW_2, db_2.data(), dY, M);
    linear_weights_backward(dW_1, db_1.data(), dU, X);
    multiply_transposed(dX, dU, W_1, 1);
}

void transformer_block_backward(TensorView<float, 3> dX, const BlockGradients<float>& gradients,
                                TensorView<const float, 3> dY, TensorView<const float, 3> X,
                                const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask,
                                int H, Norm norm, Activation activation, float eps) {
    thread_local BlockMemory memory;
    thread_local Buffer output;
    const TensorView<float, 3> Y(output.get(static_cast<std::size_t>(X.count())), X.size(0), X.size(1),
                                 X.size(2));
    transformer_block_keeping(memory, Y, X, weights, mask, H, norm, activation, eps);
    transformer_block_backward_of_kept(dX, gradients, dY, X, weights, mask, H, norm, activation, eps, memory);
}

void embed_patches_backward(TensorView<float, 4> dX, TensorView<float, 2> dE, TensorView<float, 1> db,
                            TensorView<float, 1> dcls, TensorView<float, 2> dE_pos,
                            TensorView<const float, 3> dZ, TensorView<const float, 4> X,
                            TensorView<const float, 2> E, TensorView<const float, 1> /*b*/,
                            TensorView<const float, 1> /*cls*/, TensorView<const float, 2> /*E_pos*/, int P) {
    require_whole_patches(X.size(2), X.size(3), P);
    const int B = dZ.size(0), N = dZ.size(1) - 1, D = dZ.size(2), features = E.size(0);
    thread_local Buffer cut, tokens;
    const TensorView<float, 3> patches(cut.get(numbers(B, N, features)), B, N, features),
        d(tokens.get(numbers(B, N, D)), B, N, D);
    fast::patchify(patches, X, P);
    const auto bytes = sizeof(float) * numbers(N, D);
    for (int b = 0; b < B; ++b) std::memcpy(d[b].data(), dZ[b][1].data(), bytes);
    linear_weights_backward(dE, db.data(), d, patches);
    sum_rows(dcls.data(), {dZ.data(), B, D, std::ptrdiff_t{N + 1} * D});
    sum_rows(dE_pos.data(), {dZ.data(), B, (N + 1) * D});
    if (!dX) return;
    multiply_transposed(patches, d, E, 1);
    fast::unpatchify(dX, patches, P);
}

void cross_entropy_backward(TensorView<float, 3> dlogits, TensorView<const float, 1> dloss,
                            TensorView<const float, 3> logits, TensorView<const int, 2> targets,
                            float smoothing) {
    const int V = logits.size(2), rows = targets.size(0) * targets.size(1);
    int counted = 0;
    for (int i = 0; i < rows; ++i) {
        require_inside(targets.data()[i], -1, V);
        if (targets.data()[i] != -1) ++counted;
    }
    const float factor = counted > 0 ? dloss(0) / static_cast<float>(counted) : 0,
                spread = smoothing / static_cast<float>(V);
    for_row_blocks(rows, V, [&](int first, int end) {
        for (std::ptrdiff_t i = first; i < end; ++i) {
            float* const d = dlogits.data() + i * V;
            const int target = targets.data()[i];
            if (target == -1) {
                std::fill_n(d, V, 0.0F);
                continue;
            }
            kernels().softmax_row(d, logits.data() + i * V, V);
            for (int v = 0; v < V; ++v) d[v] = factor * (d[v] - spread);
            d[target] -= factor * (1 - smoothing);
        }
    });
}

}  // namespace attn::fast
