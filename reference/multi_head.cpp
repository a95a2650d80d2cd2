
#include "contracts/masking_reference.h"
#include "contracts/multi_head_reference.h"
#include "contracts/self_attention_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Y = X W + b      X [B, N, D_in], W [D_in, D_out], b [D_out], Y [B, N, D_out]
template <class T>
void project(TensorView<T, 3> Y, TensorView<const T, 3> X, TensorView<const T, 2> W,
             TensorView<const T, 1> bias) {
    for (int b = 0; b < Y.size(0); ++b) {
        for (int i = 0; i < Y.size(1); ++i) {
            for (int d = 0; d < Y.size(2); ++d) {
                T sum = 0;
                for (int k = 0; k < X.size(2); ++k) sum += X(b, i, k) * W(k, d);
                Y(b, i, d) = sum + bias(d);
            }
        }
    }
}

/// The same numbers as a batch of length 1: [N, D] as [1, N, D].
template <class T>
TensorView<T, 3> as_batch(TensorView<T, 2> X) {
    return {X.data(), 1, X.size(0), X.size(1)};
}

}  // namespace

template <class T>
void split_heads(TensorView<T, 4> Y, TensorView<const T, 3> X) {
    const int B = X.size(0), N = X.size(1), H = Y.size(1), D_h = head_width(X.size(2), H);
    for (int b = 0; b < B; ++b)
        for (int h = 0; h < H; ++h)
            for (int i = 0; i < N; ++i)
                for (int d = 0; d < D_h; ++d) Y(b, h, i, d) = X(b, i, h * D_h + d);
}

template <class T>
void merge_heads(TensorView<T, 3> Y, TensorView<const T, 4> X) {
    const int B = X.size(0), H = X.size(1), N = X.size(2), D_h = X.size(3);
    for (int b = 0; b < B; ++b)
        for (int h = 0; h < H; ++h)
            for (int i = 0; i < N; ++i)
                for (int d = 0; d < D_h; ++d) Y(b, i, h * D_h + d) = X(b, h, i, d);
}

template <class T>
void multi_head_attention(TensorView<T, 3> Y, TensorView<const T, 3> X_q, TensorView<const T, 3> X_kv,
                          const MultiHeadWeights<T>& weights, TensorView<const std::uint8_t, 3> mask, int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    const int D_h = head_width(D, H);

    // Q = X_q W_Q + b_Q, K = X_kv W_K + b_K, V = X_kv W_V + b_V
    Owned<T, 3> Q(B, N_q, D), K(B, N_k, D), V(B, N_k, D);
    project<T>(Q.view, X_q, weights.W_Q, weights.b_Q);
    project<T>(K.view, X_kv, weights.W_K, weights.b_K);
    project<T>(V.view, X_kv, weights.W_V, weights.b_V);
    Owned<T, 4> Q_heads(B, H, N_q, D_h), K_heads(B, H, N_k, D_h), V_heads(B, H, N_k, D_h);
    split_heads<T>(Q_heads.view, Q.view);
    split_heads<T>(K_heads.view, K.view);
    split_heads<T>(V_heads.view, V.view);

    // O_h = softmax(Q_h K_h^T / sqrt(D/H)) V_h, for every head, with its batch's mask
    Owned<T, 4> O_heads(B, H, N_q, D_h);
    for (int b = 0; b < B; ++b) {
        for (int h = 0; h < H; ++h) {
            const TensorView<T, 3> O_h = as_batch(O_heads.view[b][h]);
            const TensorView<const T, 3> Q_h = as_batch(Q_heads.view[b][h]),
                                         K_h = as_batch(K_heads.view[b][h]),
                                         V_h = as_batch(V_heads.view[b][h]);
            if (mask)
                masked_attention<T>(O_h, {}, Q_h, K_h, V_h, as_batch(mask[b]));
            else
                scaled_dot_product_attention<T>(O_h, {}, Q_h, K_h, V_h);
        }
    }

    // Y = [O_0, .., O_{H-1}] W_O + b_O
    Owned<T, 3> O(B, N_q, D);
    merge_heads<T>(O.view, O_heads.view);
    project<T>(Y, O.view, weights.W_O, weights.b_O);
}

}  // namespace attn::cpu

#include "contracts/multi_head_instances.h"
