// Another right solution: keys are projected once and kept, one pass over the words has a running maximum and
// sum (online softmax), sums are in double, and the decoder works sentence by sentence.

#include <cmath>
#include <limits>
#include <vector>

#include "rnn_attention.h"

namespace attn {
namespace {

using Row = std::vector<double>;

/// Adds x W to y. W is read from row `first` on.
template <class X>
void add(Row& y, const X& x, int length, TensorView<const float, 2> W, int first = 0) {
    for (int i = 0; i < length; i++)
        for (int d = 0; d < W.size(1); d++) y[d] += double(x(i)) * W(first + i, d);
}

struct Source {
    Source(TensorView<const float, 2> words, TensorView<const float, 2> W_k) : h(words) {
        for (int j = 0; j < h.size(0); j++) {
            keys.emplace_back(W_k.size(1), 0.0);
            add(keys.back(), h[j], h.size(1), W_k);
        }
    }
    Row scores(const Row& q, TensorView<const float, 1> v) const {
        Row e;
        for (const Row& k : keys) {
            double sum = 0;
            for (int d = 0; d < v.size(0); d++) sum += v(d) * std::tanh(q[d] + k[d]);
            e.push_back(sum);
        }
        return e;
    }
    TensorView<const float, 2> h;
    std::vector<Row> keys;
};

/// Overwrites e with the weights.
template <class Allowed>
Row look(Row& e, TensorView<const float, 2> h, const Allowed& allowed) {
    double m = -std::numeric_limits<double>::infinity(), sum = 0;
    Row c(h.size(1), 0.0);
    for (int j = 0; j < h.size(0); j++) {
        if (!allowed(j)) continue;
        const double bigger = std::max(m, e[j]), shrink = std::exp(m - bigger), w = std::exp(e[j] - bigger);
        sum = sum * shrink + w;
        for (int d = 0; d < h.size(1); d++) c[d] = c[d] * shrink + w * h(j, d);
        m = bigger;
    }
    for (int j = 0; j < h.size(0); j++) e[j] = allowed(j) ? std::exp(e[j] - m) / sum : 0;
    for (double& x : c) x = sum > 0 ? x / sum : 0;
    return c;
}

void keep(TensorView<float, 1> y, const Row& x) {
    for (int d = 0; d < y.size(0); d++) y(d) = float(x[d]);
}

Row project(TensorView<const float, 1> x, TensorView<const float, 2> W) {
    Row y(W.size(1), 0.0);
    add(y, x, x.size(0), W);
    return y;
}

}  // namespace

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v) {
    for (int b = 0; b < h.size(0); b++) keep(e[b], Source(h[b], W_k).scores(project(s_prev[b], W_q), v));
}

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    for (int b = 0; b < h.size(0); b++) {
        Row weights;
        for (int j = 0; j < h.size(1); j++) weights.push_back(e(b, j));
        keep(c[b], look(weights, h[b], [&](int j) { return mask(b, j) != 0; }));
        keep(a[b], weights);
    }
}

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> bias) {
    for (int b = 0; b < s.size(0); b++) {
        Row z = project(s_prev[b], W_s);
        add(z, c[b], c.size(1), W_x, y_prev.size(1));
        add(z, y_prev[b], y_prev.size(1), W_x);
        for (int d = 0; d < s.size(1); d++) s(b, d) = float(std::tanh(z[d] + bias(d)));
    }
}

void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights) {
    const int D_s = S.size(2), D_y = y.size(2);
    for (int b = 0; b < S.size(0); b++) {
        const Source source(h[b], weights.W_k);
        Row s(D_s, 0.0);
        for (int j = h.size(1) - 1; j >= 0; j--) {
            if (!mask(b, j)) continue;
            add(s, h[b][j], h.size(2), weights.W_0);
            break;
        }
        for (int d = 0; d < D_s; d++) s[d] = std::tanh(s[d] + weights.b_0(d));
        for (int t = 0; t < S.size(1); t++) {
            const auto state = [&](int d) { return s[d]; };
            Row q(weights.W_q.size(1), 0.0);
            add(q, state, D_s, weights.W_q);
            Row a = source.scores(q, weights.v);
            const Row c = look(a, h[b], [&](int j) { return mask(b, j) != 0; });
            Row z(D_s, 0.0);
            add(z, y[b][t], D_y, weights.W_x);
            add(
                z, [&](int d) { return c[d]; }, int(c.size()), weights.W_x, D_y);
            add(z, state, D_s, weights.W_s);
            for (int d = 0; d < D_s; d++) s[d] = std::tanh(z[d] + weights.b(d));
            keep(S[b][t], s);
            keep(A[b][t], a);
        }
    }
}

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    const int cells = grid.size(1) * grid.size(2);
    for (int b = 0; b < grid.size(0); b++) {
        const TensorView<const float, 2> h(grid[b].data(), cells, grid.size(3));
        Row weights = Source(h, W_k).scores(project(s_prev[b], W_q), v);
        keep(c[b], look(weights, h, [](int) { return true; }));
        keep(TensorView<float, 1>(a[b].data(), cells), weights);
    }
}

}  // namespace attn
