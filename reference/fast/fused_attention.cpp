// Only blocked attention is held against students' speed. The other functions are here because a yardstick has
// all functions of its contract; their loops run along rows, so that the compiler can use vectors.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "contracts/fused_attention_fast.h"
#include "reference/fast/attention.h"

namespace attn::fast {
namespace {

template <class T>
Heads<T> dense(TensorView<T, 3> X) {
    return {X.data(), std::ptrdiff_t{X.size(1)} * X.size(2), 0, X.size(2)};
}

float dot(const float* x, const float* y, int count) {
    float sum = 0;
    for (int d = 0; d < count; ++d) sum += x[d] * y[d];
    return sum;
}

/// y += a x
void add_to(float* y, float a, const float* x, int count) {
    for (int d = 0; d < count; ++d) y[d] += a * x[d];
}

float feature(float x) {
    return x > 0 ? x + 1 : std::exp(x);
}

/// Row n of batch b.
template <class T>
T* row(TensorView<T, 3> X, int b, int n) {
    return X.data() + (std::ptrdiff_t{b} * X.size(1) + n) * X.size(2);
}

/// Attends from each query to the keys first(i) .. end(i) - 1. Y and L may be empty views.
template <class First, class End>
void attend_to_some(TensorView<float, 3> Y, TensorView<float, 2> L, TensorView<const float, 3> Q,
                    TensorView<const float, 3> K, TensorView<const float, 3> V, First first, End end) {
    const int N = Q.size(1), D_q = Q.size(2);
    std::vector<float> E(static_cast<std::size_t>(N));
    for (int b = 0; b < Q.size(0); ++b) {
        for (int i = 0; i < N; ++i) {
            float m = -INFINITY, l = 0;
            for (int j = first(i); j < end(i); ++j) {
                float& e = E[static_cast<std::size_t>(j)];
                e = dot(row(Q, b, i), row(K, b, j), D_q) / std::sqrt(static_cast<float>(D_q));
                m = std::max(m, e);
            }
            for (int j = first(i); j < end(i); ++j) {
                float& e = E[static_cast<std::size_t>(j)];
                l += e = std::exp(e - m);
            }
            if (L) L(b, i) = m + std::log(l);
            if (!Y) continue;
            std::fill_n(row(Y, b, i), Y.size(2), 0.0F);
            for (int j = first(i); j < end(i); ++j)
                add_to(row(Y, b, i), E[static_cast<std::size_t>(j)] / l, row(V, b, j), Y.size(2));
        }
    }
}

}  // namespace

void online_softmax(TensorView<float, 2> Y, TensorView<float, 2> m, TensorView<float, 2> l,
                    TensorView<const float, 2> X) {
    const int D = X.size(1);
    for (int i = 0; i < X.size(0); ++i) {
        for (int j = 0; j < D; ++j) {
            m(i, j) = j == 0 ? X(i, 0) : std::max(m(i, j - 1), X(i, j));
            const float before = j == 0 ? 0 : l(i, j - 1) * std::exp(m(i, j - 1) - m(i, j));
            l(i, j) = before + std::exp(X(i, j) - m(i, j));
        }
        for (int j = 0; j < D; ++j) Y(i, j) = std::exp(X(i, j) - m(i, D - 1)) / l(i, D - 1);
    }
}

void blocked_attention(TensorView<float, 3> Y, TensorView<float, 2> L, TensorView<std::uint8_t, 2> visited,
                       TensorView<const float, 3> Q, TensorView<const float, 3> K,
                       TensorView<const float, 3> V, bool causal, int B_r, int B_c) {
    const int N = Q.size(1);
    if (Y)
        attention(dense(Y), dense(Q), dense(K), dense(V), {Q.size(0), 1, N, N, Q.size(2), V.size(2)},
                  {causal, {}});
    if (L)
        attend_to_some(
            {}, L, Q, K, V, [](int) { return 0; }, [&](int i) { return causal ? i + 1 : N; });
    if (!visited) return;
    for (int I = 0; I < visited.size(0); ++I)
        for (int J = 0; J < visited.size(1); ++J)
            visited(I, J) = !causal || J * B_c < std::min(N, (I + 1) * B_r) ? 1 : 0;
}

void blocked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                                TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const float, 3> V,
                                TensorView<const float, 3> Y, TensorView<const float, 2> L, bool causal) {
    const int N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    const float scale = 1 / std::sqrt(static_cast<float>(D_q));
    for (const TensorView<float, 3>& gradient : {dQ, dK, dV})
        std::fill_n(gradient.data(), gradient.count(), 0.0F);
    for (int b = 0; b < Q.size(0); ++b) {
        for (int i = 0; i < N; ++i) {
            const float *const q = row(Q, b, i), *const dy = row(dY, b, i);
            const float delta = dot(dy, row(Y, b, i), D_v);
            for (int j = 0; j < (causal ? i + 1 : N); ++j) {
                const float p = std::exp(dot(q, row(K, b, j), D_q) * scale - L(b, i));
                const float de = p * (dot(dy, row(V, b, j), D_v) - delta) * scale;
                add_to(row(dQ, b, i), de, row(K, b, j), D_q);
                add_to(row(dK, b, j), de, q, D_q);
                add_to(row(dV, b, j), p, dy, D_v);
            }
        }
    }
}

void sliding_window_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q,
                              TensorView<const float, 3> K, TensorView<const float, 3> V, bool causal,
                              int W) {
    attend_to_some(
        Y, {}, Q, K, V, [W](int i) { return std::max(0, i - W); },
        [&](int i) { return std::min(Q.size(1), causal ? i + 1 : i + W + 1); });
}

void linear_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                      TensorView<const float, 3> V, bool causal) {
    const int N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    std::vector<float> S(static_cast<std::size_t>(D_q) * static_cast<std::size_t>(D_v + 1));
    for (int b = 0; b < Q.size(0); ++b) {
        std::fill(S.begin(), S.end(), 0.0F);  // z stands in the last column
        for (int i = 0, j = 0; i < N; ++i) {
            for (; j < (causal ? i + 1 : N); ++j) {
                for (int k = 0; k < D_q; ++k) {
                    float* const S_k = S.data() + std::ptrdiff_t{k} * (D_v + 1);
                    add_to(S_k, feature(K(b, j, k)), row(V, b, j), D_v);
                    S_k[D_v] += feature(K(b, j, k));
                }
            }
            float below = 0;
            std::fill_n(row(Y, b, i), D_v, 0.0F);
            for (int k = 0; k < D_q; ++k) {
                const float* const S_k = S.data() + std::ptrdiff_t{k} * (D_v + 1);
                add_to(row(Y, b, i), feature(Q(b, i, k)), S_k, D_v);
                below += feature(Q(b, i, k)) * S_k[D_v];
            }
            for (int d = 0; d < D_v; ++d) Y(b, i, d) /= below;
        }
    }
}

}  // namespace attn::fast
