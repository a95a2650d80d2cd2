// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "multi_head.h"

namespace attn {

void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    const int B = X.size(0), N = X.size(1), D = X.size(2), H = Y.size(1);
    if (D % H != 0) throw std::invalid_argument("split_heads: H does not divide D");
    const int width = D / H;
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < N; i++)
                for (int d = 0; d < width; d++) Y(b, h, i, d) = X(b, i, h * width + d);
}

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    const int B = X.size(0), H = X.size(1), N = X.size(2), width = X.size(3);
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N; i++)
            for (int h = 0; h < H; h++)
                for (int d = 0; d < width; d++) Y(b, i, h * width + d) = X(b, h, i, d);
}

// X W + b
static void linear(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W,
                   TensorView<const float, 1> bias) {
    for (int b = 0; b < X.size(0); b++)
        for (int i = 0; i < X.size(1); i++)
            for (int d = 0; d < W.size(1); d++) {
                float sum = 0;
                for (int k = 0; k < W.size(0); k++) sum += X(b, i, k) * W(k, d);
                Y(b, i, d) = sum + bias(d);
            }
}

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    if (D % H != 0) throw std::invalid_argument("multi_head_attention: H does not divide D");
    const int width = D / H;

    std::vector<float> q(B * N_q * D), k(B * N_k * D), v(B * N_k * D);
    TensorView<float, 3> Q(q.data(), B, N_q, D), K(k.data(), B, N_k, D), V(v.data(), B, N_k, D);
    linear(Q, X_q, weights.W_Q, weights.b_Q);
    linear(K, X_kv, weights.W_K, weights.b_K);
    linear(V, X_kv, weights.W_V, weights.b_V);
    std::vector<float> qh(q.size()), kh(k.size()), vh(v.size()), oh(q.size());
    TensorView<float, 4> Qh(qh.data(), B, H, N_q, width), Kh(kh.data(), B, H, N_k, width);
    TensorView<float, 4> Vh(vh.data(), B, H, N_k, width), Oh(oh.data(), B, H, N_q, width);
    split_heads(Qh, Q);
    split_heads(Kh, K);
    split_heads(Vh, V);

    const float scale = std::sqrt(float(width));
    const auto allowed = [&](int b, int h, int i, int j) {
        (void)h;
        if (!mask) return true;
        return mask(b, i, j) == 1;
    };
    std::vector<float> a(B * H * N_q * N_k);
    TensorView<float, 4> A(a.data(), B, H, N_q, N_k);
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < N_q; i++) {
                for (int j = 0; j < N_k; j++) {
                    float dot = 0;
                    for (int d = 0; d < width; d++) dot += Qh(b, h, i, d) * Kh(b, h, j, d);
                    A(b, h, i, j) = dot / scale;
                    if (!allowed(b, h, i, j)) A(b, h, i, j) = -INFINITY;
                }
                // A row of -infinity has no softmax: its weights are 0.
                float m = -INFINITY, sum = 0;
                for (int j = 0; j < N_k; j++) m = std::max(m, A(b, h, i, j));
                const bool empty = m == -INFINITY;
                for (int j = 0; j < N_k; j++) {
                    A(b, h, i, j) = empty ? 0.0f : std::exp(A(b, h, i, j) - m);
                    sum += A(b, h, i, j);
                }
                if (empty) sum = 1;
                for (int j = 0; j < N_k; j++) A(b, h, i, j) /= sum;
            }

    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < N_q; i++)
                for (int d = 0; d < width; d++) {
                    float value = 0;
                    for (int j = 0; j < N_k; j++) value += A(b, h, i, j) * Vh(b, h, j, d);
                    Oh(b, h, i, d) = value;
                }
    std::vector<float> o(q.size());
    TensorView<float, 3> O(o.data(), B, N_q, D);
    merge_heads(O, Oh);
    linear(Y, O, weights.W_O, weights.b_O);
}

}  // namespace attn
