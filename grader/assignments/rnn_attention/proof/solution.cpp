// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <algorithm>
#include <cmath>
#include <vector>

#include "rnn_attention.h"

namespace attn {

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v) {
    const int B = h.size(0), T = h.size(1), D_h = h.size(2), D_s = s_prev.size(1), D_a = v.size(0);
    for (int b = 0; b < B; b++) {
        for (int j = 0; j < T; j++) {
            float score = 0;
            for (int d = 0; d < D_a; d++) {
                float q = 0, k = 0;
                for (int i = 0; i < D_s; i++) q += s_prev(b, i) * W_q(i, d);
                for (int i = 0; i < D_h; i++) k += h(b, j, i) * W_k(i, d);
                score += v(d) * std::tanh(q + k);
            }
            e(b, j) = score;
        }
    }
}

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    const int B = h.size(0), T = h.size(1), D_h = h.size(2);
    for (int b = 0; b < B; b++) {
        float m = -INFINITY;
        for (int j = 0; j < T; j++)
            if (mask(b, j)) m = std::max(m, e(b, j));
        float sum = 0;
        for (int j = 0; j < T; j++) {
            a(b, j) = mask(b, j) ? std::exp(e(b, j) - m) : 0;
            sum += a(b, j);
        }
        for (int j = 0; j < T; j++) a(b, j) = sum > 0 ? a(b, j) / sum : 0;
        for (int d = 0; d < D_h; d++) {
            float total = 0;
            for (int j = 0; j < T; j++) total += a(b, j) * h(b, j, d);
            c(b, d) = total;
        }
    }
}

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b) {
    const int D_y = y_prev.size(1), D_h = c.size(1), D_s = s.size(1);
    for (int n = 0; n < s.size(0); n++) {
        std::vector<float> x;  // [y_prev; c]
        for (int i = 0; i < D_y; i++) x.push_back(y_prev(n, i));
        for (int i = 0; i < D_h; i++) x.push_back(c(n, i));
        for (int d = 0; d < D_s; d++) {
            float z = b(d);
            for (int i = 0; i < D_y + D_h; i++) z += x[i] * W_x(i, d);
            for (int i = 0; i < D_s; i++) z += s_prev(n, i) * W_s(i, d);
            s(n, d) = std::tanh(z);
        }
    }
}

void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2), T = h.size(1), D_h = h.size(2), D_y = y.size(2);
    std::vector<float> memory_s(B * D_s), memory_next(B * D_s), memory_e(B * T), memory_a(B * T);
    std::vector<float> memory_c(B * D_h), memory_y(B * D_y), memory_h(B * D_h);
    TensorView<float, 2> s(memory_s.data(), B, D_s), next(memory_next.data(), B, D_s);
    TensorView<float, 2> e(memory_e.data(), B, T), a(memory_a.data(), B, T);
    TensorView<float, 2> c(memory_c.data(), B, D_h), word(memory_y.data(), B, D_y);
    TensorView<float, 2> h_last(memory_h.data(), B, D_h);  // zeros where there is no word

    for (int b = 0; b < B; b++) {
        int last = -1;
        for (int j = 0; j < T; j++)
            if (mask(b, j)) last = j;
        for (int i = 0; i < D_h && last >= 0; i++) h_last(b, i) = h(b, last, i);
        for (int d = 0; d < D_s; d++) {
            float z = weights.b_0(d);
            for (int i = 0; i < D_h; i++) z += h_last(b, i) * weights.W_0(i, d);
            s(b, d) = std::tanh(z);
        }
    }
    for (int t = 1; t <= L; t++) {
        for (int b = 0; b < B; b++)
            for (int i = 0; i < D_y; i++) word(b, i) = y(b, t - 1, i);
        additive_scores(e, s, h, weights.W_q, weights.W_k, weights.v);
        attention_context(a, c, e, h, mask);
        decoder_step(next, word, c, s, weights.W_x, weights.W_s, weights.b);
        for (int b = 0; b < B; b++) {
            for (int d = 0; d < D_s; d++) S(b, t - 1, d) = next(b, d);
            for (int j = 0; j < T; j++) A(b, t - 1, j) = a(b, j);
            for (int d = 0; d < D_s; d++) s(b, d) = next(b, d);
        }
    }
}

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    const int B = grid.size(0), R = grid.size(1), C = grid.size(2), D_h = grid.size(3);
    std::vector<float> cells, scores(B * R * C), shares(B * R * C);
    std::vector<std::uint8_t> ones(B * R * C, 1);
    for (int b = 0; b < B; b++)
        for (int r = 0; r < R; r++)
            for (int k = 0; k < C; k++)
                for (int d = 0; d < D_h; d++) cells.push_back(grid(b, r, k, d));
    TensorView<float, 3> h(cells.data(), B, R * C, D_h);
    TensorView<float, 2> e(scores.data(), B, R * C), flat(shares.data(), B, R * C);
    TensorView<std::uint8_t, 2> mask(ones.data(), B, R * C);
    additive_scores(e, s_prev, h, W_q, W_k, v);
    attention_context(flat, c, e, h, mask);
    for (int b = 0; b < B; b++)
        for (int r = 0; r < R; r++)
            for (int k = 0; k < C; k++) a(b, r, k) = flat(b, r * C + k);
}

}  // namespace attn
