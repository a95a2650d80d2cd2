// Another right solution: the allowed scores are moved together, and the softmax of assignment 2 normalises
// them.

#include <cmath>
#include <vector>

#include "masking.h"
#include "self_attention.h"

namespace attn {

void causal_mask(TensorView<std::uint8_t, 2> M) {
    const int N_q = M.size(0), N_k = M.size(1);
    for (int i = 0; i < N_q; i++)
        for (int j = 0; j < N_k; j++) M(i, j) = j - i <= N_k - N_q;
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    for (int b = 0; b < M.size(0); b++)
        for (int i = 0; i < M.size(1); i++)
            for (int j = 0; j < M.size(2); j++) M(b, i, j) = lengths(b) > j;
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    for (int b = 0; b < M.size(0); b++)
        for (int i = 0; i < M.size(1); i++)
            for (int j = 0; j < M.size(2); j++) M(b, i, j) = causal(i, j) & padding(b, i, j);
}

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask) {
    for (int i = 0; i < X.size(0); i++) {
        std::vector<float> scores;
        for (int j = 0; j < X.size(1); j++)
            if (mask(i, j)) scores.push_back(X(i, j));
        std::vector<float> weights(scores.size());
        if (!scores.empty())
            softmax(TensorView<float, 2>(weights.data(), 1, weights.size()),
                    TensorView<const float, 2>(scores.data(), 1, scores.size()));
        std::size_t next = 0;
        for (int j = 0; j < X.size(1); j++) Y(i, j) = mask(i, j) ? weights[next++] : 0;
    }
}

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
    const int N_q = Q.size(1), N_k = K.size(1), D_q = Q.size(2);
    for (int b = 0; b < Q.size(0); b++) {
        // Keys are the outer loop: each adds its part to all queries.
        std::vector<float> scores(N_q * N_k, 0.0f), weights(N_q * N_k);
        TensorView<float, 2> E(scores.data(), N_q, N_k), W(weights.data(), N_q, N_k);
        for (int j = 0; j < N_k; j++)
            for (int i = 0; i < N_q; i++) {
                for (int d = 0; d < D_q; d++) E(i, j) += Q(b, i, d) * K(b, j, d);
                E(i, j) /= std::sqrt(float(D_q));
            }
        masked_softmax(W, E, mask[b]);
        for (int i = 0; i < N_q; i++)
            for (int d = 0; d < V.size(2); d++) Y(b, i, d) = 0;
        for (int j = 0; j < N_k; j++)
            for (int i = 0; i < N_q; i++) {
                if (A) A(b, i, j) = W(i, j);
                for (int d = 0; d < V.size(2); d++) Y(b, i, d) += W(i, j) * V(b, j, d);
            }
    }
}

}  // namespace attn
