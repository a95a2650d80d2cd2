// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <cmath>
#include <stdexcept>
#include <vector>

#include "positional_encoding.h"

namespace attn {

void naive_positions(TensorView<float, 2> P, Naive kind) {
    const int N = P.size(0), D = P.size(1);
    for (int p = 0; p < N; p++) {
        float value;
        if (kind == Naive::index)
            value = float(p);
        else if (kind == Naive::fraction)
            value = float(p) / N;
        else if (kind == Naive::saturating)
            value = std::tanh(float(p));
        else
            value = std::sin(float(p));
        for (int d = 0; d < D; d++) P(p, d) = value;
    }
}

void sinusoidal_positions(TensorView<float, 2> P) {
    const int N = P.size(0), D = P.size(1);
    for (int p = 0; p < N; p++)
        for (int i = 0; 2 * i < D; i++) {
            const float a = p / std::pow(10000.0f, 2.0f * i / D);
            P(p, 2 * i) = std::sin(a);
            if (2 * i + 1 < D) P(p, 2 * i + 1) = std::cos(a);
        }
}

void add_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P) {
    for (int b = 0; b < X.size(0); b++)
        for (int p = 0; p < X.size(1); p++)
            for (int d = 0; d < X.size(2); d++) Y(b, p, d) = X(b, p, d) + P(p, d);
}

void concatenate_positions(TensorView<float, 3> Y, TensorView<const float, 3> X,
                           TensorView<const float, 2> P) {
    const int D = X.size(2), D_p = P.size(1);
    for (int b = 0; b < X.size(0); b++)
        for (int p = 0; p < X.size(1); p++)
            for (int d = 0; d < D + D_p; d++) Y(b, p, d) = d < D ? X(b, p, d) : P(p, d - D);
}

static int clip(int distance, int C) {
    if (distance > C) return C;
    if (distance < -C) return -C;
    return distance;
}

void relative_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                        TensorView<const float, 3> K, TensorView<const float, 3> V,
                        TensorView<const float, 2> R_K, TensorView<const float, 2> R_V, int C) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    std::vector<float> scores(N * N), weights(N * N);
    TensorView<float, 2> E(scores.data(), N, N), W(weights.data(), N, N);
    const float scale = std::sqrt(float(D_q));
    for (int b = 0; b < B; b++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                const int r = clip(j - i, C) + C;
                float content = 0, position = 0;
                for (int d = 0; d < D_q; d++) content += Q(b, i, d) * K(b, j, d);
                for (int d = 0; d < D_q; d++) position += Q(b, i, d) * R_K(r, d);
                E(i, j) = (content + position) / scale;
            }
        softmax(W, E);
        for (int i = 0; i < N; i++) {
            for (int d = 0; d < D_v; d++) Y(b, i, d) = 0;
            for (int j = 0; j < N; j++) {
                if (A) A(b, i, j) = W(i, j);
                const int s = clip(j - i, C) + C;
                for (int d = 0; d < D_v; d++) Y(b, i, d) += W(i, j) * (V(b, j, d) + R_V(s, d));
            }
        }
    }
}

void rotary_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, int offset) {
    const int B = X.size(0), N = X.size(1), D = X.size(2);
    if (D % 2 != 0) throw std::invalid_argument("D is odd");
    for (int p = 0; p < N; p++)
        for (int i = 0; i < D / 2; i++) {
            const float a = (p + offset) / std::pow(10000.0f, 2.0f * i / D);
            const float c = std::cos(a), s = std::sin(a);
            for (int b = 0; b < B; b++) {
                const float x = X(b, p, 2 * i), y = X(b, p, 2 * i + 1);
                Y(b, p, 2 * i) = x * c - y * s;
                Y(b, p, 2 * i + 1) = x * s + y * c;
            }
        }
}

void rotary_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V) {
    std::vector<float> q(Q.count()), k(K.count());
    TensorView<float, 3> turned_q(q.data(), Q.size(0), Q.size(1), Q.size(2));
    TensorView<float, 3> turned_k(k.data(), K.size(0), K.size(1), K.size(2));
    rotary_positions(turned_q, Q, 0);
    rotary_positions(turned_k, K, 0);
    scaled_dot_product_attention(Y, A, turned_q, turned_k, V);
}

void alibi_bias(TensorView<float, 3> bias) {
    const int H = bias.size(0), N = bias.size(1);
    for (int h = 0; h < H; h++) {
        const float slope = std::pow(2.0f, -8.0f * (h + 1) / H);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) bias(h, i, j) = -slope * (i > j ? i - j : j - i);
    }
}

}  // namespace attn
