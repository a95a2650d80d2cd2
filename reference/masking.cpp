#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "contracts/masking_reference.h"

namespace attn::cpu {

void causal_mask(TensorView<std::uint8_t, 2> M) {
    const int N_q = M.size(0), N_k = M.size(1);
    for (int i = 0; i < N_q; ++i)
        for (int j = 0; j < N_k; ++j) M(i, j) = j <= i + (N_k - N_q) ? 1 : 0;
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    for (int b = 0; b < M.size(0); ++b)
        for (int i = 0; i < M.size(1); ++i)
            for (int j = 0; j < M.size(2); ++j) M(b, i, j) = j < lengths(b) ? 1 : 0;
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    for (int b = 0; b < M.size(0); ++b)
        for (int i = 0; i < M.size(1); ++i)
            for (int j = 0; j < M.size(2); ++j)
                M(b, i, j) = causal(i, j) != 0 && padding(b, i, j) != 0 ? 1 : 0;
}

template <class T>
void masked_softmax(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const std::uint8_t, 2> mask) {
    for (int i = 0; i < X.size(0); ++i) {
        // Read allowed scores only: a masked score may be the largest, infinite or not a number.
        T m = -std::numeric_limits<T>::infinity();
        for (int j = 0; j < X.size(1); ++j)
            if (mask(i, j)) m = std::max(m, X(i, j));
        T sum = 0;
        for (int j = 0; j < X.size(1); ++j) sum += Y(i, j) = mask(i, j) ? std::exp(X(i, j) - m) : T(0);
        // The maximum itself adds 1 to the sum, so a sum of 0 means a fully masked row: it stays 0.
        for (int j = 0; j < X.size(1); ++j)
            if (mask(i, j)) Y(i, j) /= sum;
    }
}

template <class T>
void masked_attention(TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
                      TensorView<const T, 3> K, TensorView<const T, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
    const int B = Q.size(0), N_q = Q.size(1), D_q = Q.size(2), N_k = K.size(1), D_v = V.size(2);
    std::vector<T> scores(static_cast<std::size_t>(N_q) * static_cast<std::size_t>(N_k));
    std::vector<T> weights(scores.size());
    const TensorView<T, 2> E(scores.data(), N_q, N_k);
    for (int b = 0; b < B; ++b) {
        // E = Q K^T / sqrt(D_q)
        for (int i = 0; i < N_q; ++i) {
            for (int j = 0; j < N_k; ++j) {
                T dot = 0;
                for (int d = 0; d < D_q; ++d) dot += Q(b, i, d) * K(b, j, d);
                E(i, j) = dot / std::sqrt(static_cast<T>(D_q));
            }
        }
        // A = masked softmax of E by rows
        const TensorView<T, 2> A_b = A ? A[b] : TensorView<T, 2>(weights.data(), N_q, N_k);
        masked_softmax<T>(A_b, E, mask[b]);
        // Y = A V
        for (int i = 0; i < N_q; ++i) {
            for (int d = 0; d < D_v; ++d) {
                T sum = 0;
                for (int j = 0; j < N_k; ++j) sum += A_b(i, j) * V(b, j, d);
                Y(b, i, d) = sum;
            }
        }
    }
}

}  // namespace attn::cpu

#include "contracts/masking_instances.h"
