// Another right solution, faster than plain loops: K is transposed once, and four queries at a time use a row
// of it. So the innermost loops run along rows and compute independent sums.

#include <algorithm>
#include <cmath>
#include <vector>

#include "self_attention.h"

namespace attn {
namespace {

void softmax_row(float* y, const float* x, int N) {
    float m = x[0], sum = 0;
    for (int j = 0; j < N; j++) m = std::max(m, x[j]);
    for (int j = 0; j < N; j++) sum += y[j] = std::exp(x[j] - m);
    for (int j = 0; j < N; j++) y[j] /= sum;
}

}  // namespace

void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    for (int i = 0; i < X.size(0); i++) softmax_row(&Y(i, 0), &X(i, 0), X.size(1));
}

void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V) {
    constexpr int kQueries = 4;
    const int N_q = Q.size(1), D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    const float scale = 1 / std::sqrt(float(D_q));
    std::vector<float> keys(D_q * N_k), scores(kQueries * N_k);
    for (int b = 0; b < Q.size(0); b++) {
        for (int j = 0; j < N_k; j++)
            for (int d = 0; d < D_q; d++) keys[d * N_k + j] = K(b, j, d) * scale;
        for (int first = 0; first < N_q; first += kQueries) {
            const int count = std::min(kQueries, N_q - first);
            std::fill(scores.begin(), scores.end(), 0.0f);
            for (int d = 0; d < D_q; d++) {
                for (int i = 0; i < count; i++) {
                    const float q = Q(b, first + i, d);
                    float* e = &scores[i * N_k];
                    const float* k = &keys[d * N_k];
                    for (int j = 0; j < N_k; j++) e[j] += q * k[j];
                }
            }
            for (int i = 0; i < count; i++) {
                float* a = &scores[i * N_k];
                softmax_row(a, a, N_k);
                float* y = &Y(b, first + i, 0);
                std::fill(y, y + D_v, 0.0f);
                for (int j = 0; j < N_k; j++) {
                    const float* v = &V(b, j, 0);
                    for (int d = 0; d < D_v; d++) y[d] += a[j] * v[d];
                }
                if (A) std::copy(a, a + N_k, &A(b, first + i, 0));
            }
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
