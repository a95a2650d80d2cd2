// Another right solution: one pass over the keys with a running maximum and sum (online softmax) that skips
// masked keys. The masks are made by counting, not by comparing. There is no N x N array unless the caller
// wants A.

#include <algorithm>
#include <cmath>
#include <vector>

#include "masking.h"

namespace attn {

void causal_mask(TensorView<std::uint8_t, 2> M) {
    std::fill(M.data(), M.data() + M.count(), std::uint8_t{0});
    for (int from_the_end = 0; from_the_end < M.size(0); from_the_end++) {
        const int i = M.size(0) - 1 - from_the_end;
        for (int j = 0; j < M.size(1) - from_the_end; j++) M(i, j) = 1;
    }
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    std::fill(M.data(), M.data() + M.count(), std::uint8_t{1});
    for (int b = 0; b < M.size(0); b++)
        for (int i = 0; i < M.size(1); i++)
            for (int j = M.size(2) - 1; j >= lengths(b); j--) M(b, i, j) = 0;
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    for (int b = 0; b < M.size(0); b++)
        for (int i = 0; i < M.size(1); i++)
            for (int j = 0; j < M.size(2); j++) M(b, i, j) = std::uint8_t(causal(i, j) * padding(b, i, j));
}

namespace {

/// The maximum and the sum of exp(score - maximum) of the scores so far. Before the first score: -inf and 0.
struct Running {
    float m = -INFINITY, sum = 0;

    /// The factor for the old sum.
    float add(float score) {
        if (score <= m) {
            sum += std::exp(score - m);
            return 1;
        }
        const float shrink = std::exp(m - score);
        sum = sum * shrink + 1;
        m = score;
        return shrink;
    }
    float weight(float score) const { return std::exp(score - m) / sum; }
};

}  // namespace

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask) {
    for (int i = 0; i < X.size(0); i++) {
        Running row;
        for (int j = 0; j < X.size(1); j++)
            if (mask(i, j)) row.add(X(i, j));
        for (int j = 0; j < X.size(1); j++) Y(i, j) = mask(i, j) ? row.weight(X(i, j)) : 0;
    }
}

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
    const int D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    const float scale = 1 / std::sqrt(float(D_q));
    for (int b = 0; b < Q.size(0); b++) {
        for (int i = 0; i < Q.size(1); i++) {
            const auto score = [&](int j) {
                float even = 0, odd = 0;
                for (int d = 0; d < D_q; d += 2) even += Q(b, i, d) * K(b, j, d);
                for (int d = 1; d < D_q; d += 2) odd += Q(b, i, d) * K(b, j, d);
                return (even + odd) * scale;
            };
            Running row;
            std::vector<float> o(D_v, 0.0f);
            for (int j = 0; j < N_k; j++) {
                if (!mask(b, i, j)) continue;
                const float e = score(j), shrink = row.add(e), p = std::exp(e - row.m);
                for (int d = 0; d < D_v; d++) o[d] = o[d] * shrink + p * V(b, j, d);
            }
            for (int d = 0; d < D_v; d++) Y(b, i, d) = row.sum > 0 ? o[d] / row.sum : 0;
            if (A)
                for (int j = 0; j < N_k; j++) A(b, i, j) = mask(b, i, j) ? row.weight(score(j)) : 0;
        }
    }
}

}  // namespace attn
