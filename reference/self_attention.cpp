#include <algorithm>
#include <cmath>
#include <vector>

#include "contracts/self_attention_reference.h"

namespace attn::cpu {
namespace {

/// Y = X W      X [N, D_in], W [D_in, D_out], Y [N, D_out]
template <class T>
void project(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W) {
    for (int i = 0; i < Y.size(0); ++i) {
        for (int d = 0; d < Y.size(1); ++d) {
            T sum = 0;
            for (int k = 0; k < X.size(1); ++k) sum += X(i, k) * W(k, d);
            Y(i, d) = sum;
        }
    }
}

}  // namespace

template <class T>
void softmax(TensorView<T, 2> Y, TensorView<const T, 2> X) {
    for (int i = 0; i < X.size(0); ++i) {
        // exp of a large score is infinity; subtracting the row's maximum does not change Y.
        T m = X(i, 0);
        for (int j = 1; j < X.size(1); ++j) m = std::max(m, X(i, j));
        T sum = 0;
        for (int j = 0; j < X.size(1); ++j) sum += Y(i, j) = std::exp(X(i, j) - m);
        for (int j = 0; j < X.size(1); ++j) Y(i, j) /= sum;
    }
}

template <class T>
void scaled_dot_product_attention(TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
                                  TensorView<const T, 3> K, TensorView<const T, 3> V) {
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
        // A = softmax(E) by rows
        const TensorView<T, 2> A_b = A ? A[b] : TensorView<T, 2>(weights.data(), N_q, N_k);
        softmax<T>(A_b, E);
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

template <class T>
void self_attention(TensorView<T, 3> Y, TensorView<const T, 3> X, TensorView<const T, 2> W_Q,
                    TensorView<const T, 2> W_K, TensorView<const T, 2> W_V) {
    const int B = X.size(0), N = X.size(1), D_q = W_Q.size(1), D_v = W_V.size(1);
    const auto vectors = static_cast<std::size_t>(B) * static_cast<std::size_t>(N);
    std::vector<T> queries(vectors * static_cast<std::size_t>(D_q)), keys(queries.size());
    std::vector<T> values(vectors * static_cast<std::size_t>(D_v));
    const TensorView<T, 3> Q(queries.data(), B, N, D_q), K(keys.data(), B, N, D_q),
        V(values.data(), B, N, D_v);
    for (int b = 0; b < B; ++b) {
        project<T>(Q[b], X[b], W_Q);
        project<T>(K[b], X[b], W_K);
        project<T>(V[b], X[b], W_V);
    }
    scaled_dot_product_attention<T>(Y, {}, Q, K, V);
}

}  // namespace attn::cpu

#include "contracts/self_attention_instances.h"
