// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <vector>

#include "self_attention.h"

namespace attn {

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    const int N = X.size(0), D = X.size(1);
    for (int i = 0; i < N; i++) {
        float m = X(i, 0);
        for (int j = 0; j < D; j++) m = std::max(m, X(i, j));
        float sum = 0;
        for (int j = 0; j < D; j++) {
            Y(i, j) = std::exp(X(i, j) - m);
            sum += Y(i, j);
        }
        for (int j = 0; j < D; j++) Y(i, j) = Y(i, j) / sum;
    }
}

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V) {
    const int B = Q.size(0), N_q = Q.size(1), D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    std::vector<float> scores(N_q * N_k), weights(N_q * N_k);
    TensorView<float, 2> E(scores.data(), N_q, N_k), W(weights.data(), N_q, N_k);
    const float scale = std::sqrt(float(D_q));
    for (int b = 0; b < B; b++) {
        for (int i = 0; i < N_q; i++) {
            for (int j = 0; j < N_k; j++) {
                float dot = 0;
                for (int d = 0; d < D_q; d++) dot += Q(b, i, d) * K(b, j, d);
                E(i, j) = dot / scale;
            }
        }
        softmax(W, E);
        for (int i = 0; i < N_q; i++) {
            for (int j = 0; j < N_k; j++)
                if (A) A(b, i, j) = W(i, j);
            for (int d = 0; d < D_v; d++) {
                float sum = 0;
                for (int j = 0; j < N_k; j++) sum += W(i, j) * V(b, j, d);
                Y(b, i, d) = sum;
            }
        }
    }
}

static std::vector<float> project(TensorView<const float, 3> X, TensorView<const float, 2> W) {
    const int B = X.size(0), N = X.size(1);
    std::vector<float> result(B * N * W.size(1));
    TensorView<float, 3> R(result.data(), B, N, W.size(1));
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N; i++)
            for (int d = 0; d < W.size(1); d++) {
                float sum = 0;
                for (int k = 0; k < X.size(2); k++) sum += X(b, i, k) * W(k, d);
                R(b, i, d) = sum;
            }
    return result;
}

void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V) {
    const int B = X.size(0), N = X.size(1);
    std::vector<float> q = project(X, W_Q);
    std::vector<float> k = project(X, W_K);
    std::vector<float> v = project(X, W_V);
    TensorView<float, 3> Q(q.data(), B, N, W_Q.size(1)), K(k.data(), B, N, W_K.size(1));
    TensorView<float, 3> V(v.data(), B, N, W_V.size(1));
    scaled_dot_product_attention(Y, {}, Q, K, V);
}

}  // namespace attn
