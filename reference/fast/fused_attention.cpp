// Only blocked attention is held against students' speed. The other functions are here because a yardstick has all
// functions of its contract.

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

float dot(TensorView<const float, 1> x, TensorView<const float, 1> y) {
    float sum = 0;
    for (int d = 0; d < x.size(0); ++d) sum += x(d) * y(d);
    return sum;
}

/// y += a x
void add_to(TensorView<float, 1> y, float a, TensorView<const float, 1> x) {
    for (int d = 0; d < y.size(0); ++d) y(d) += a * x(d);
}

float feature(float x) {
    return x > 0 ? x + 1 : std::exp(x);
}

/// Attends from each query to the keys first(i) .. end(i) - 1. Y and L may be empty views.
template <class First, class End>
void attend_to_some(TensorView<float, 3> Y, TensorView<float, 2> L, TensorView<const float, 3> Q,
                    TensorView<const float, 3> K, TensorView<const float, 3> V, First first, End end) {
    const int N = Q.size(1);
    const float root = std::sqrt(static_cast<float>(Q.size(2)));
    std::vector<float> memory(static_cast<std::size_t>(N));
    const TensorView<float, 1> E(memory.data(), N);
    for (int b = 0; b < Q.size(0); ++b) {
        for (int i = 0; i < N; ++i) {
            float m = -INFINITY, l = 0;
            for (int j = first(i); j < end(i); ++j) m = std::max(m, E(j) = dot(Q[b][i], K[b][j]) / root);
            for (int j = first(i); j < end(i); ++j) l += E(j) = std::exp(E(j) - m);
            if (L) L(b, i) = m + std::log(l);
            if (!Y) continue;
            std::fill_n(Y[b][i].data(), Y.size(2), 0.0F);
            for (int j = first(i); j < end(i); ++j) add_to(Y[b][i], E(j) / l, V[b][j]);
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
    const int N = Q.size(1);
    const float scale = 1 / std::sqrt(static_cast<float>(Q.size(2)));
    for (const TensorView<float, 3>& gradient : {dQ, dK, dV})
        std::fill_n(gradient.data(), gradient.count(), 0.0F);
    for (int b = 0; b < Q.size(0); ++b) {
        for (int i = 0; i < N; ++i) {
            const float delta = dot(dY[b][i], Y[b][i]);
            for (int j = 0; j < (causal ? i + 1 : N); ++j) {
                const float p = std::exp(dot(Q[b][i], K[b][j]) * scale - L(b, i));
                const float de = p * (dot(dY[b][i], V[b][j]) - delta) * scale;
                add_to(dQ[b][i], de, K[b][j]);
                add_to(dK[b][j], de, Q[b][i]);
                add_to(dV[b][j], p, dY[b][i]);
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
    std::vector<float> memory(static_cast<std::size_t>(D_q) * static_cast<std::size_t>(D_v + 1));
    const TensorView<float, 2> S(memory.data(), D_q, D_v);
    float* const z = memory.data() + S.count();
    for (int b = 0; b < Q.size(0); ++b) {
        std::fill(memory.begin(), memory.end(), 0.0F);
        for (int i = 0, j = 0; i < N; ++i) {
            for (; j < (causal ? i + 1 : N); ++j)
                for (int k = 0; k < D_q; ++k) {
                    z[k] += feature(K(b, j, k));
                    add_to(S[k], feature(K(b, j, k)), V[b][j]);
                }
            float l = 0;
            for (int k = 0; k < D_q; ++k) l += feature(Q(b, i, k)) * z[k];
            std::fill_n(Y[b][i].data(), D_v, 0.0F);
            for (int k = 0; k < D_q; ++k) add_to(Y[b][i], feature(Q(b, i, k)) / l, S[k]);
        }
    }
}

}  // namespace attn::fast
