// Another right solution: sums are in double, the heads are a batch axis for which the masks are repeated,
// and a large negative number is added to masked scores.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "multi_head.h"

namespace attn {

void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    const int H = Y.size(1), D = X.size(2);
    if (D / H * H != D) throw std::invalid_argument("no whole heads");
    for (int b = 0; b < Y.size(0); b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < Y.size(2); i++) std::copy_n(&X(b, i, h * (D / H)), D / H, &Y(b, h, i, 0));
}

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    for (int b = 0; b < X.size(0); b++)
        for (int h = 0; h < X.size(1); h++)
            for (int i = 0; i < X.size(2); i++)
                std::copy_n(&X(b, h, i, 0), X.size(3), &Y(b, i, h * X.size(3)));
}

namespace {

struct Cube {
    Cube(int a, int b, int c) : data(std::size_t(a) * b * c), view(data.data(), a, b, c) {}
    std::vector<float> data;
    TensorView<float, 3> view;
};

void linear(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W,
            TensorView<const float, 1> bias) {
    std::vector<double> row(Y.size(2));
    for (int b = 0; b < Y.size(0); b++)
        for (int i = 0; i < Y.size(1); i++) {
            for (int d = 0; d < Y.size(2); d++) row[d] = bias(d);
            for (int k = 0; k < X.size(2); k++)
                for (int d = 0; d < Y.size(2); d++) row[d] += double(X(b, i, k)) * W(k, d);
            std::copy(row.begin(), row.end(), &Y(b, i, 0));
        }
}

}  // namespace

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1);
    if (D % H) throw std::invalid_argument("no whole heads");
    const int width = D / H;
    Cube Q(B, N_q, D), K(B, N_k, D), V(B, N_k, D), O(B, N_q, D);
    linear(Q.view, X_q, weights.W_Q, weights.b_Q);
    linear(K.view, X_kv, weights.W_K, weights.b_K);
    linear(V.view, X_kv, weights.W_V, weights.b_V);
    // [B, H, N, D/H] seen as [B H, N, D/H]
    Cube q(B * H, N_q, width), k(B * H, N_k, width), v(B * H, N_k, width), o(B * H, N_q, width);
    split_heads({q.data.data(), B, H, N_q, width}, Q.view);
    split_heads({k.data.data(), B, H, N_k, width}, K.view);
    split_heads({v.data.data(), B, H, N_k, width}, V.view);
    std::vector<double> e(N_k);
    for (int n = 0; n < B * H; n++) {
        for (int i = 0; i < N_q; i++) {
            int open = 0;
            double m = -1e300, sum = 0;
            for (int j = 0; j < N_k; j++) {
                const bool may = !mask || mask(n / H, i, j);
                open += may;
                double dot = 0;
                for (int d = 0; d < width; d++) dot += double(q.view(n, i, d)) * k.view(n, j, d);
                e[j] = dot / std::sqrt(double(width)) + (may ? 0.0 : -1e30);
                m = std::max(m, e[j]);
            }
            for (int j = 0; j < N_k; j++) sum += e[j] = std::exp(e[j] - m);
            for (int d = 0; d < width; d++) {
                double value = 0;
                for (int j = 0; j < N_k; j++) value += e[j] * v.view(n, j, d);
                o.view(n, i, d) = open == 0 ? 0.0f : float(value / sum);
            }
        }
    }
    merge_heads(O.view, TensorView<const float, 4>(o.data.data(), B, H, N_q, width));
    linear(Y, O.view, weights.W_O, weights.b_O);
}

}  // namespace attn
