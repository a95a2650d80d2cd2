// Another right solution: the allowed keys are gathered first, so the rest of the code needs no mask. Sums
// run backwards and in double.

#include <cmath>
#include <utility>
#include <vector>

#include "masking.h"

namespace attn {

void causal_mask(TensorView<std::uint8_t, 2> M) {
    for (int i = 0; i < M.size(0); i++)
        for (int j = 0; j < M.size(1); j++) M(i, j) = M.size(0) - 1 - i <= M.size(1) - 1 - j ? 1 : 0;
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    for (int b = 0; b < M.size(0); b++)
        for (int j = 0; j < M.size(2); j++)
            for (int i = 0; i < M.size(1); i++) M(b, i, j) = j + 1 <= lengths(b) ? 1 : 0;
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    for (int b = 0; b < M.size(0); b++)
        for (int i = 0; i < M.size(1); i++)
            for (int j = 0; j < M.size(2); j++) M(b, i, j) = !(!causal(i, j) || !padding(b, i, j));
}

/// The indices j where a row of the mask is 1, in descending order.
static std::vector<int> allowed_in(TensorView<const std::uint8_t, 2> mask, int i) {
    std::vector<int> all;
    for (int j = mask.size(1) - 1; j >= 0; j--)
        if (mask(i, j) == 1) all.push_back(j);
    return all;
}

/// exp(score - m) / sum for a list of any length, which may be empty.
static std::vector<double> weights_of(std::vector<double> scores) {
    double m = -INFINITY, sum = 0;
    for (double e : scores)
        if (e > m) m = e;
    for (double& e : scores) sum += e = std::exp(e - m);
    for (double& e : scores) e /= sum;
    return scores;
}

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask) {
    for (int i = 0; i < X.size(0); i++) {
        for (int j = 0; j < X.size(1); j++) Y(i, j) = 0;
        const std::vector<int> allowed = allowed_in(mask, i);
        std::vector<double> scores;
        for (int j : allowed) scores.push_back(X(i, j));
        scores = weights_of(std::move(scores));
        for (std::size_t k = 0; k < allowed.size(); k++) Y(i, allowed[k]) = float(scores[k]);
    }
}

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
    for (int b = 0; b < Q.size(0); b++) {
        for (int i = 0; i < Q.size(1); i++) {
            const std::vector<int> allowed = allowed_in(mask[b], i);
            std::vector<double> scores;
            for (int j : allowed) {
                double dot = 0;
                for (int d = Q.size(2) - 1; d >= 0; d--) dot += double(Q(b, i, d)) * K(b, j, d);
                scores.push_back(dot / std::sqrt(double(Q.size(2))));
            }
            scores = weights_of(std::move(scores));
            for (int j = 0; A && j < K.size(1); j++) A(b, i, j) = 0;
            for (std::size_t k = 0; A && k < allowed.size(); k++) A(b, i, allowed[k]) = float(scores[k]);
            for (int d = 0; d < V.size(2); d++) {
                double sum = 0;
                for (std::size_t k = 0; k < allowed.size(); k++) sum += scores[k] * V(b, allowed[k], d);
                Y(b, i, d) = float(sum);
            }
        }
    }
}

}  // namespace attn
