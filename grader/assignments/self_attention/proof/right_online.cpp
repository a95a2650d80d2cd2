// Another right solution: one pass over the keys in blocks, with a running maximum and sum (online softmax).
// There is no N x N array unless the caller wants A. Sums run in another order than in the reference.

#include <algorithm>
#include <cmath>
#include <vector>

#include "self_attention.h"

namespace attn {

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    for (int i = 0; i < X.size(0); i++) {
        float m = -INFINITY, l = 0;
        for (int j = 0; j < X.size(1); j++) {
            const float bigger = std::max(m, X(i, j));
            l = l * std::exp(m - bigger) + std::exp(X(i, j) - bigger);
            m = bigger;
        }
        for (int j = 0; j < X.size(1); j++) Y(i, j) = std::exp(X(i, j) - m) / l;
    }
}

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V) {
    constexpr int kBlock = 4;
    const int D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    const float scale = 1 / std::sqrt(float(D_q));
    for (int b = 0; b < Q.size(0); b++) {
        for (int i = 0; i < Q.size(1); i++) {
            float m = -INFINITY, l = 0;
            std::vector<float> o(D_v, 0.0f);
            const auto score = [&](int j) {
                float even = 0, odd = 0;
                for (int d = 0; d < D_q; d += 2) even += Q(b, i, d) * K(b, j, d);
                for (int d = 1; d < D_q; d += 2) odd += Q(b, i, d) * K(b, j, d);
                return (even + odd) * scale;
            };
            for (int start = 0; start < N_k; start += kBlock) {
                const int end = std::min(start + kBlock, N_k);
                float e[kBlock], bigger = m;
                for (int j = start; j < end; j++) bigger = std::max(bigger, e[j - start] = score(j));
                const float shrink = std::exp(m - bigger);
                l *= shrink;
                for (float& value : o) value *= shrink;
                for (int j = start; j < end; j++) {
                    const float p = std::exp(e[j - start] - bigger);
                    l += p;
                    for (int d = 0; d < D_v; d++) o[d] += p * V(b, j, d);
                }
                m = bigger;
            }
            for (int d = 0; d < D_v; d++) Y(b, i, d) = o[d] / l;
            if (A)
                for (int j = 0; j < N_k; j++) A(b, i, j) = std::exp(score(j) - m) / l;
        }
    }
}

// Projects feature by feature, all tokens at a time.
void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V) {
    const int B = X.size(0), N = X.size(1), D_x = X.size(2), D_q = W_Q.size(1), D_v = W_V.size(1);
    std::vector<float> q(B * N * D_q), k(B * N * D_q), v(B * N * D_v);
    TensorView<float, 3> Q(q.data(), B, N, D_q), K(k.data(), B, N, D_q), V(v.data(), B, N, D_v);
    const auto project = [&](TensorView<float, 3> Z, TensorView<const float, 2> W) {
        std::fill(Z.data(), Z.data() + Z.count(), 0.0f);
        for (int x = 0; x < D_x; x++)
            for (int b = 0; b < B; b++)
                for (int i = 0; i < N; i++)
                    for (int d = 0; d < W.size(1); d++) Z(b, i, d) += X(b, i, x) * W(x, d);
    };
    project(Q, W_Q);
    project(K, W_K);
    project(V, W_V);
    scaled_dot_product_attention(Y, {}, Q, K, V);
}

}  // namespace attn
