#include <algorithm>
#include <cmath>
#include <vector>

#include "contracts/positional_encoding_reference.h"
#include "contracts/self_attention_reference.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

template <class T>
T naive(int p, int N, Naive kind) {
    switch (kind) {
        case Naive::index:
            return static_cast<T>(p);
        case Naive::fraction:
            return static_cast<T>(p) / static_cast<T>(N);
        case Naive::saturating:
            return std::tanh(static_cast<T>(p));
        case Naive::one_sine:
            return std::sin(static_cast<T>(p));
    }
    refuse(kind);
}

/// The angle of pair i at position p: p / 10000^(2i/D)
template <class T>
T angle(int p, int i, int D) {
    return static_cast<T>(p) / std::pow(T(10000), static_cast<T>(2 * i) / static_cast<T>(D));
}

/// The row of R_K and R_V for query i and key j.
int row_of_distance(int i, int j, int C) {
    return std::min(std::max(j - i, -C), C) + C;
}

}  // namespace

template <class T>
void naive_positions(TensorView<T, 2> P, Naive kind) {
    for (int p = 0; p < P.size(0); ++p)
        for (int d = 0; d < P.size(1); ++d) P(p, d) = naive<T>(p, P.size(0), kind);
}

template <class T>
void sinusoidal_positions(TensorView<T, 2> P) {
    for (int p = 0; p < P.size(0); ++p) {
        for (int d = 0; d < P.size(1); ++d) {
            const T a = angle<T>(p, d / 2, P.size(1));
            P(p, d) = d % 2 == 0 ? std::sin(a) : std::cos(a);
        }
    }
}

template <class T>
void add_positions(TensorView<T, 3> Y, TensorView<const T, 3> X, TensorView<const T, 2> P) {
    for (int b = 0; b < X.size(0); ++b)
        for (int p = 0; p < X.size(1); ++p)
            for (int d = 0; d < X.size(2); ++d) Y(b, p, d) = X(b, p, d) + P(p, d);
}

template <class T>
void concatenate_positions(TensorView<T, 3> Y, TensorView<const T, 3> X, TensorView<const T, 2> P) {
    const int D = X.size(2);
    for (int b = 0; b < X.size(0); ++b) {
        for (int p = 0; p < X.size(1); ++p) {
            for (int d = 0; d < D; ++d) Y(b, p, d) = X(b, p, d);
            for (int d = 0; d < P.size(1); ++d) Y(b, p, D + d) = P(p, d);
        }
    }
}

template <class T>
void relative_attention(TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
                        TensorView<const T, 3> K, TensorView<const T, 3> V, TensorView<const T, 2> R_K,
                        TensorView<const T, 2> R_V, int C) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    std::vector<T> scores(static_cast<std::size_t>(N) * static_cast<std::size_t>(N));
    std::vector<T> weights(scores.size());
    const TensorView<T, 2> E(scores.data(), N, N);
    for (int b = 0; b < B; ++b) {
        // E[i, j] = Q[i] . (K[j] + R_K[r]) / sqrt(D_q)
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < N; ++j) {
                const int r = row_of_distance(i, j, C);
                T dot = 0;
                for (int d = 0; d < D_q; ++d) dot += Q(b, i, d) * (K(b, j, d) + R_K(r, d));
                E(i, j) = dot / std::sqrt(static_cast<T>(D_q));
            }
        }
        // A = softmax(E) by rows
        const TensorView<T, 2> A_b = A ? A[b] : TensorView<T, 2>(weights.data(), N, N);
        softmax<T>(A_b, E);
        // Y[i] = sum_j A[i, j] (V[j] + R_V[r])
        for (int i = 0; i < N; ++i) {
            for (int d = 0; d < D_v; ++d) {
                T sum = 0;
                for (int j = 0; j < N; ++j)
                    sum += A_b(i, j) * (V(b, j, d) + R_V(row_of_distance(i, j, C), d));
                Y(b, i, d) = sum;
            }
        }
    }
}

template <class T>
void rotary_positions(TensorView<T, 3> Y, TensorView<const T, 3> X, int offset) {
    const int D = X.size(2);
    require_pairs(D);
    for (int b = 0; b < X.size(0); ++b) {
        for (int p = 0; p < X.size(1); ++p) {
            for (int i = 0; i < D / 2; ++i) {
                const T a = angle<T>(offset + p, i, D);
                const T first = X(b, p, 2 * i), second = X(b, p, 2 * i + 1);
                Y(b, p, 2 * i) = first * std::cos(a) - second * std::sin(a);
                Y(b, p, 2 * i + 1) = first * std::sin(a) + second * std::cos(a);
            }
        }
    }
}

template <class T>
void rotary_attention(TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
                      TensorView<const T, 3> K, TensorView<const T, 3> V) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2);
    std::vector<T> queries(static_cast<std::size_t>(Q.count())), keys(queries.size());
    const TensorView<T, 3> rotated_Q(queries.data(), B, N, D_q), rotated_K(keys.data(), B, N, D_q);
    rotary_positions<T>(rotated_Q, Q, 0);
    rotary_positions<T>(rotated_K, K, 0);
    scaled_dot_product_attention<T>(Y, A, rotated_Q, rotated_K, V);
}

template <class T>
void alibi_bias(TensorView<T, 3> bias) {
    const int H = bias.size(0);
    for (int h = 0; h < H; ++h) {
        const T slope = std::pow(T(2), static_cast<T>(-8 * (h + 1)) / static_cast<T>(H));
        for (int i = 0; i < bias.size(1); ++i)
            for (int j = 0; j < bias.size(2); ++j) bias(h, i, j) = slope * static_cast<T>(-std::abs(i - j));
    }
}

}  // namespace attn::cpu

#include "contracts/positional_encoding_instances.h"
