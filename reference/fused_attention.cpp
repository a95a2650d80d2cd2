#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "contracts/fused_attention_reference.h"
#include "contracts/self_attention_reference.h"

namespace attn::cpu {
namespace {

/// E[i, j] = Q[i] . K[j] / sqrt(D_q)
template <class T>
T score(TensorView<const T, 2> Q, TensorView<const T, 2> K, int i, int j) {
    T dot = 0;
    for (int d = 0; d < Q.size(1); ++d) dot += Q(i, d) * K(j, d);
    return dot / std::sqrt(static_cast<T>(Q.size(1)));
}

/// P[i, j] = exp(E[i, j] - L[i]), 0 where query i may not see key j
template <class T>
T weight(TensorView<const T, 2> Q, TensorView<const T, 2> K, TensorView<const T, 1> L, int i, int j,
         bool causal) {
    return causal && j > i ? T(0) : std::exp(score<T>(Q, K, i, j) - L(i));
}

/// dE[i, j] = P[i, j] (dP - delta), dP = dY[i] . V[j], delta = dY[i] . Y[i]
template <class T>
T score_gradient(TensorView<const T, 2> dY, TensorView<const T, 2> V, TensorView<const T, 2> Y, T P, int i,
                 int j) {
    T dP = 0, delta = 0;
    for (int d = 0; d < V.size(1); ++d) dP += dY(i, d) * V(j, d);
    for (int d = 0; d < V.size(1); ++d) delta += dY(i, d) * Y(i, d);
    return P * (dP - delta);
}

/// phi(x) = x + 1 if x > 0, else exp(x)
template <class T>
T phi(T x) {
    return x > 0 ? x + 1 : std::exp(x);
}

}  // namespace

template <class T>
void online_softmax(TensorView<T, 2> Y, TensorView<T, 2> m, TensorView<T, 2> l, TensorView<const T, 2> X) {
    const int N = X.size(0), D = X.size(1);
    for (int i = 0; i < N; ++i) {
        T m_i = -std::numeric_limits<T>::infinity(), l_i = 0;
        for (int j = 0; j < D; ++j) {
            // m_j = max(m_{j-1}, x_j)
            const T m_new = std::max(m_i, X(i, j));
            // l_j = l_{j-1} exp(m_{j-1} - m_j) + exp(x_j - m_j)
            l_i = l_i * std::exp(m_i - m_new) + std::exp(X(i, j) - m_new);
            m_i = m_new;
            m(i, j) = m_i;
            l(i, j) = l_i;
        }
        for (int j = 0; j < D; ++j) Y(i, j) = std::exp(X(i, j) - m_i) / l_i;
    }
}

template <class T>
void blocked_attention(TensorView<T, 3> Y, TensorView<T, 2> L, TensorView<std::uint8_t, 2> visited,
                       TensorView<const T, 3> Q, TensorView<const T, 3> K, TensorView<const T, 3> V,
                       bool causal, int B_r, int B_c) {
    const int B = Q.size(0), N = Q.size(1), D_v = V.size(2);
    std::vector<T> block(static_cast<std::size_t>(B_c));
    const TensorView<T, 1> E(block.data(), B_c);
    for (int b = 0; b < B; ++b) {
        for (int first_i = 0; first_i < N; first_i += B_r) {
            const int end_i = std::min(first_i + B_r, N);
            // m = -infinity, l = 0, O = 0
            std::vector<T> maxima(static_cast<std::size_t>(B_r), -std::numeric_limits<T>::infinity());
            std::vector<T> sums(static_cast<std::size_t>(B_r));
            std::vector<T> outputs(static_cast<std::size_t>(B_r) * static_cast<std::size_t>(D_v));
            const TensorView<T, 1> m(maxima.data(), B_r), l(sums.data(), B_r);
            const TensorView<T, 2> O(outputs.data(), B_r, D_v);
            for (int first_j = 0; first_j < N; first_j += B_c) {
                const int end_j = std::min(first_j + B_c, N);
                const bool seen = !causal || first_j < end_i;
                if (visited) visited(first_i / B_r, first_j / B_c) = seen ? 1 : 0;
                for (int i = first_i; i < end_i && seen; ++i) {
                    const int r = i - first_i;
                    // E = Q K^T / sqrt(D_q) of this block, m_new = max(m, max_j E)
                    T m_new = m(r);
                    for (int j = first_j; j < end_j; ++j) {
                        const bool hidden = causal && j > i;
                        E(j - first_j) =
                            hidden ? -std::numeric_limits<T>::infinity() : score<T>(Q[b], K[b], i, j);
                        m_new = std::max(m_new, E(j - first_j));
                    }
                    // l = l exp(m - m_new) + sum_j exp(E - m_new), O likewise with V
                    const T rescale = std::exp(m(r) - m_new);
                    l(r) *= rescale;
                    for (int d = 0; d < D_v; ++d) O(r, d) *= rescale;
                    for (int j = first_j; j < end_j; ++j) {
                        const T p = std::exp(E(j - first_j) - m_new);
                        l(r) += p;
                        for (int d = 0; d < D_v; ++d) O(r, d) += p * V(b, j, d);
                    }
                    m(r) = m_new;
                }
            }
            // Y = O / l, L = m + log l
            for (int i = first_i; i < end_i; ++i) {
                for (int d = 0; d < D_v; ++d) Y(b, i, d) = O(i - first_i, d) / l(i - first_i);
                if (L) L(b, i) = m(i - first_i) + std::log(l(i - first_i));
            }
        }
    }
}

template <class T>
void blocked_attention_backward(TensorView<T, 3> dQ, TensorView<T, 3> dK, TensorView<T, 3> dV,
                                TensorView<const T, 3> dY, TensorView<const T, 3> Q, TensorView<const T, 3> K,
                                TensorView<const T, 3> V, TensorView<const T, 3> Y, TensorView<const T, 2> L,
                                bool causal) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    const T scale = 1 / std::sqrt(static_cast<T>(D_q));
    std::vector<T> weights(static_cast<std::size_t>(N)), gradients(weights.size());
    // For each query the numbers of its keys, and then for each key those of its queries.
    const TensorView<T, 1> P(weights.data(), N), dE(gradients.data(), N);
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            // dE[i, j] = P[i, j] (dY[i] . V[j] - delta[i])
            for (int j = 0; j < N; ++j)
                dE(j) = score_gradient<T>(dY[b], V[b], Y[b], weight<T>(Q[b], K[b], L[b], i, j, causal), i, j);
            // dQ = dE K / sqrt(D_q)
            for (int d = 0; d < D_q; ++d) {
                T sum = 0;
                for (int j = 0; j < N; ++j) sum += dE(j) * K(b, j, d);
                dQ(b, i, d) = sum * scale;
            }
        }
        for (int j = 0; j < N; ++j) {
            // P[i, j] = exp(E[i, j] - L[i]) and dE[i, j] = P[i, j] (dY[i] . V[j] - delta[i])
            for (int i = 0; i < N; ++i) {
                P(i) = weight<T>(Q[b], K[b], L[b], i, j, causal);
                dE(i) = score_gradient<T>(dY[b], V[b], Y[b], P(i), i, j);
            }
            // dK = dE^T Q / sqrt(D_q)
            for (int d = 0; d < D_q; ++d) {
                T sum = 0;
                for (int i = 0; i < N; ++i) sum += dE(i) * Q(b, i, d);
                dK(b, j, d) = sum * scale;
            }
            // dV = P^T dY
            for (int d = 0; d < D_v; ++d) {
                T sum = 0;
                for (int i = 0; i < N; ++i) sum += P(i) * dY(b, i, d);
                dV(b, j, d) = sum;
            }
        }
    }
}

template <class T>
void sliding_window_attention(TensorView<T, 3> Y, TensorView<const T, 3> Q, TensorView<const T, 3> K,
                              TensorView<const T, 3> V, bool causal, int W) {
    const int B = Q.size(0), N = Q.size(1), D_v = V.size(2);
    std::vector<T> scores(static_cast<std::size_t>(N)), weights(scores.size());
    for (int b = 0; b < B; ++b) {
        for (int i = 0; i < N; ++i) {
            const int first_j = std::max(i - W, 0), end_j = std::min(causal ? i + 1 : i + W + 1, N);
            const TensorView<T, 2> E(scores.data(), 1, end_j - first_j),
                A(weights.data(), 1, end_j - first_j);
            // E = Q K^T / sqrt(D_q), for the keys that query i sees
            for (int j = first_j; j < end_j; ++j) E(0, j - first_j) = score<T>(Q[b], K[b], i, j);
            // A = softmax(E)
            softmax<T>(A, E);
            // Y = A V
            for (int d = 0; d < D_v; ++d) {
                T sum = 0;
                for (int j = first_j; j < end_j; ++j) sum += A(0, j - first_j) * V(b, j, d);
                Y(b, i, d) = sum;
            }
        }
    }
}

template <class T>
void linear_attention(TensorView<T, 3> Y, TensorView<const T, 3> Q, TensorView<const T, 3> K,
                      TensorView<const T, 3> V, bool causal) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    for (int b = 0; b < B; ++b) {
        std::vector<T> state(static_cast<std::size_t>(D_q) * static_cast<std::size_t>(D_v));
        std::vector<T> keys(static_cast<std::size_t>(D_q));
        const TensorView<T, 2> S(state.data(), D_q, D_v);
        const TensorView<T, 1> z(keys.data(), D_q);
        int j = 0;
        for (int i = 0; i < N; ++i) {
            // S = sum_j phi(K[j])^T V[j], z = sum_j phi(K[j])
            const int end_j = causal ? i + 1 : N;
            while (j < end_j) {
                for (int k = 0; k < D_q; ++k) {
                    z(k) += phi<T>(K(b, j, k));
                    for (int d = 0; d < D_v; ++d) S(k, d) += phi<T>(K(b, j, k)) * V(b, j, d);
                }
                ++j;
            }
            // Y[i] = phi(Q[i]) S / (phi(Q[i]) . z)
            T l = 0;
            for (int k = 0; k < D_q; ++k) l += phi<T>(Q(b, i, k)) * z(k);
            for (int d = 0; d < D_v; ++d) {
                T sum = 0;
                for (int k = 0; k < D_q; ++k) sum += phi<T>(Q(b, i, k)) * S(k, d);
                Y(b, i, d) = sum / l;
            }
        }
    }
}

}  // namespace attn::cpu

#include "contracts/fused_attention_instances.h"
