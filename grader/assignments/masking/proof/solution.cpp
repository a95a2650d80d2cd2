// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <vector>

#include "masking.h"

namespace attn {

void causal_mask(TensorView<std::uint8_t, 2> M) {
    const int N_q = M.size(0), N_k = M.size(1);
    const int ahead = N_k - N_q;
    for (int i = 0; i < N_q; i++)
        for (int j = 0; j < N_k; j++) M(i, j) = j <= i + ahead;
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    for (int b = 0; b < M.size(0); b++) {
        const int length = lengths(b);
        for (int i = 0; i < M.size(1); i++)
            for (int j = 0; j < M.size(2); j++) M(b, i, j) = j < length;
    }
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    for (int b = 0; b < M.size(0); b++)
        for (int i = 0; i < M.size(1); i++)
            for (int j = 0; j < M.size(2); j++) M(b, i, j) = causal(i, j) && padding(b, i, j);
}

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask) {
    const int N = X.size(0), D = X.size(1);
    for (int i = 0; i < N; i++) {
        bool empty = true;
        for (int j = 0; j < D; j++)
            if (mask(i, j)) empty = false;
        if (empty) {
            for (int j = 0; j < D; j++) Y(i, j) = 0;
            continue;
        }
        for (int j = 0; j < D; j++) Y(i, j) = mask(i, j) ? X(i, j) : -INFINITY;
        float m = -INFINITY;
        for (int j = 0; j < D; j++) m = std::max(m, Y(i, j));
        float sum = 0;
        for (int j = 0; j < D; j++) {
            Y(i, j) = std::exp(Y(i, j) - m);
            sum += Y(i, j);
        }
        for (int j = 0; j < D; j++) Y(i, j) = Y(i, j) / sum;
    }
}

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
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
        masked_softmax(W, E, mask[b]);
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

}  // namespace attn
