// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <vector>

#include "fused_attention.h"

namespace attn {

void online_softmax(TensorView<float, 2> Y, TensorView<float, 2> m, TensorView<float, 2> l,
                    TensorView<const float, 2> X) {
    const int N = X.size(0), D = X.size(1);
    for (int i = 0; i < N; i++) {
        float biggest = X(i, 0), total = 1;
        m(i, 0) = biggest;
        l(i, 0) = total;
        for (int j = 1; j < D; j++) {
            const float x = X(i, j);
            if (x > biggest) {
                total = total * std::exp(biggest - x) + 1;
                biggest = x;
            } else {
                total += std::exp(x - biggest);
            }
            m(i, j) = biggest;
            l(i, j) = total;
        }
        for (int j = 0; j < D; j++) Y(i, j) = std::exp(X(i, j) - biggest) / total;
    }
}

void blocked_attention(TensorView<float, 3> Y, TensorView<float, 2> L, TensorView<std::uint8_t, 2> visited,
                       TensorView<const float, 3> Q, TensorView<const float, 3> K,
                       TensorView<const float, 3> V, bool causal, int B_r, int B_c) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    const int T_r = (N + B_r - 1) / B_r, T_c = (N + B_c - 1) / B_c;
    const float scale = 1 / std::sqrt(float(D_q));
    std::vector<float> s(B_r * B_c), m(B_r), l(B_r), O(B_r * D_v);
    for (int b = 0; b < B; b++) {
        for (int I = 0; I < T_r; I++) {
            const int rows = std::min(B_r, N - I * B_r);
            std::fill(m.begin(), m.end(), -INFINITY);
            std::fill(l.begin(), l.end(), 0.0f);
            std::fill(O.begin(), O.end(), 0.0f);
            for (int J = 0; J < T_c; J++) {
                const int columns = std::min(B_c, N - J * B_c);
                const bool hidden = causal && J * B_c > I * B_r + rows - 1;
                if (visited) visited(I, J) = hidden ? 0 : 1;
                if (hidden) continue;
                for (int r = 0; r < rows; r++)
                    for (int c = 0; c < columns; c++) {
                        const int i = I * B_r + r, j = J * B_c + c;
                        float dot = 0;
                        for (int d = 0; d < D_q; d++) dot += Q(b, i, d) * K(b, j, d);
                        s[r * B_c + c] = causal && j > i ? -INFINITY : dot * scale;
                    }
                for (int r = 0; r < rows; r++) {
                    float top = m[r];
                    for (int c = 0; c < columns; c++) top = std::max(top, s[r * B_c + c]);
                    const float shrink = std::exp(m[r] - top);
                    m[r] = top;
                    l[r] *= shrink;
                    for (int d = 0; d < D_v; d++) O[r * D_v + d] *= shrink;
                    for (int c = 0; c < columns; c++) {
                        const float p = std::exp(s[r * B_c + c] - top);
                        l[r] += p;
                        for (int d = 0; d < D_v; d++) O[r * D_v + d] += p * V(b, J * B_c + c, d);
                    }
                }
            }
            for (int r = 0; r < rows; r++) {
                for (int d = 0; d < D_v; d++) Y(b, I * B_r + r, d) = O[r * D_v + d] / l[r];
                if (L) L(b, I * B_r + r) = m[r] + std::log(l[r]);
            }
        }
    }
}

void blocked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                                TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const float, 3> V,
                                TensorView<const float, 3> Y, TensorView<const float, 2> L, bool causal) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    const float root = std::sqrt(float(D_q));
    std::fill(dQ.data(), dQ.data() + dQ.count(), 0.0f);
    std::fill(dK.data(), dK.data() + dK.count(), 0.0f);
    std::fill(dV.data(), dV.data() + dV.count(), 0.0f);
    for (int b = 0; b < B; b++) {
        std::vector<float> delta(N, 0.0f);
        for (int i = 0; i < N; i++)
            for (int d = 0; d < D_v; d++) delta[i] += dY(b, i, d) * Y(b, i, d);
        for (int j = 0; j < N; j++)
            for (int i = causal ? j : 0; i < N; i++) {
                float dot = 0, dp = 0;
                for (int d = 0; d < D_q; d++) dot += Q(b, i, d) * K(b, j, d);
                for (int d = 0; d < D_v; d++) dp += dY(b, i, d) * V(b, j, d);
                const float p = std::exp(dot / root - L(b, i));
                const float ds = p * (dp - delta[i]);
                for (int d = 0; d < D_v; d++) dV(b, j, d) += p * dY(b, i, d);
                for (int d = 0; d < D_q; d++) dQ(b, i, d) += ds * K(b, j, d) / root;
                for (int d = 0; d < D_q; d++) dK(b, j, d) += ds * Q(b, i, d) / root;
            }
    }
}

void sliding_window_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q,
                              TensorView<const float, 3> K, TensorView<const float, 3> V, bool causal,
                              int W) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    std::vector<float> a(2 * W + 1);
    for (int b = 0; b < B; b++)
        for (int i = 0; i < N; i++) {
            const int from = i > W ? i - W : 0;
            const int to = std::min(N - 1, causal ? i : i + W);
            float top = -INFINITY, sum = 0;
            for (int j = from; j <= to; j++) {
                float dot = 0;
                for (int d = 0; d < D_q; d++) dot += Q(b, i, d) * K(b, j, d);
                a[j - from] = dot / std::sqrt(float(D_q));
                top = std::max(top, a[j - from]);
            }
            for (int j = from; j <= to; j++) sum += a[j - from] = std::exp(a[j - from] - top);
            for (int d = 0; d < D_v; d++) {
                float y = 0;
                for (int j = from; j <= to; j++) y += a[j - from] * V(b, j, d);
                Y(b, i, d) = y / sum;
            }
        }
}

static float feature(float x) {
    return x > 0 ? x + 1 : std::exp(x);
}

void linear_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                      TensorView<const float, 3> V, bool causal) {
    const int B = Q.size(0), N = Q.size(1), D_q = Q.size(2), D_v = V.size(2);
    for (int b = 0; b < B; b++) {
        std::vector<float> S(D_q * D_v), z(D_q);
        const auto add = [&](int j) {
            for (int k = 0; k < D_q; k++) {
                const float f = feature(K(b, j, k));
                z[k] += f;
                for (int d = 0; d < D_v; d++) S[k * D_v + d] += f * V(b, j, d);
            }
        };
        if (!causal)
            for (int j = 0; j < N; j++) add(j);
        for (int i = 0; i < N; i++) {
            if (causal) add(i);
            float below = 0;
            for (int k = 0; k < D_q; k++) below += feature(Q(b, i, k)) * z[k];
            for (int d = 0; d < D_v; d++) {
                float above = 0;
                for (int k = 0; k < D_q; k++) above += feature(Q(b, i, k)) * S[k * D_v + d];
                Y(b, i, d) = above / below;
            }
        }
    }
}

}  // namespace attn
