// Another right solution: no array is split or merged, because a head is an offset. One pass over the keys
// has a running maximum and sum (online softmax). The output of each head is multiplied by its rows of W_O at
// once.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "multi_head.h"

namespace attn {

static int width_of_head(int D, int H) {
    if (H <= 0 || D % H) throw std::invalid_argument(std::to_string(D) + " % " + std::to_string(H) + " != 0");
    return D / H;
}

// Reads X once, in the order of memory.
void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    const int N = X.size(1), D = X.size(2), width = width_of_head(D, Y.size(1));
    for (int at = 0; at < X.count(); at++) {
        const int column = at % D, token = at / D % N, b = at / D / N;
        Y(b, column / width, token, column % width) = X.data()[at];
    }
}

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    const int width = X.size(3);
    for (int b = 0; b < Y.size(0); b++)
        for (int i = 0; i < Y.size(1); i++)
            for (int column = 0; column < Y.size(2); column++)
                Y(b, i, column) = X(b, column / width, i, column % width);
}

// One number of X W + b. It starts with the bias and has two independent sums.
static float project(TensorView<const float, 2> X, int i, TensorView<const float, 2> W,
                     TensorView<const float, 1> bias, int column) {
    float even = bias(column), odd = 0;
    for (int k = 0; k < W.size(0); k += 2) even += X(i, k) * W(k, column);
    for (int k = 1; k < W.size(0); k += 2) odd += X(i, k) * W(k, column);
    return even + odd;
}

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H) {
    const int N_q = X_q.size(1), D = X_q.size(2), N_k = X_kv.size(1), width = width_of_head(D, H);
    const float scale = 1 / std::sqrt(float(width));
    std::vector<float> keys(N_k * width), values(N_k * width), query(width), o(width);
    for (int b = 0; b < X_q.size(0); b++) {
        for (int i = 0; i < N_q; i++)
            for (int d = 0; d < D; d++) Y(b, i, d) = weights.b_O(d);
        for (int first = 0; first < D; first += width) {
            for (int j = 0; j < N_k; j++)
                for (int d = 0; d < width; d++) {
                    keys[j * width + d] = project(X_kv[b], j, weights.W_K, weights.b_K, first + d);
                    values[j * width + d] = project(X_kv[b], j, weights.W_V, weights.b_V, first + d);
                }
            for (int i = 0; i < N_q; i++) {
                for (int d = 0; d < width; d++)
                    query[d] = scale * project(X_q[b], i, weights.W_Q, weights.b_Q, first + d);
                float m = -INFINITY, l = 0;
                std::fill(o.begin(), o.end(), 0.0f);
                for (int j = 0; j < N_k; j++) {
                    if (mask && mask(b, i, j) == 0) continue;
                    float e = 0;
                    for (int d = 0; d < width; d++) e += query[d] * keys[j * width + d];
                    const float bigger = std::max(m, e), shrink = std::exp(m - bigger),
                                p = std::exp(e - bigger);
                    l = l * shrink + p;
                    for (int d = 0; d < width; d++) o[d] = o[d] * shrink + p * values[j * width + d];
                    m = bigger;
                }
                if (l == 0) continue;
                for (int d = 0; d < D; d++)
                    for (int k = 0; k < width; k++) Y(b, i, d) += o[k] / l * weights.W_O(first + k, d);
            }
        }
    }
}

}  // namespace attn
