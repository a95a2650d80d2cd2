// A right solution as a student would write it, independent of the reference. edits.toml changes parts of
// this text, so each text that it replaces must occur here exactly once.

#include <cmath>
#include <stdexcept>
#include <vector>

#include "image_captioning.h"

namespace attn {

void conv2d(TensorView<float, 4> Y, TensorView<const float, 4> X, TensorView<const float, 4> W,
            TensorView<const float, 1> bias, int S) {
    const int R = X.size(1), C = X.size(2), D_in = X.size(3), D_out = W.size(3);
    for (int b = 0; b < X.size(0); b++)
        for (int r = 0; r < Y.size(1); r++)
            for (int k = 0; k < Y.size(2); k++) {
                for (int o = 0; o < D_out; o++) Y(b, r, k, o) = bias(o);
                for (int p = -1; p <= 1; p++)
                    for (int q = -1; q <= 1; q++) {
                        const int y = S * r + p, x = S * k + q;
                        if (y < 0 || y >= R || x < 0 || x >= C) continue;
                        for (int d = 0; d < D_in; d++)
                            for (int o = 0; o < D_out; o++)
                                Y(b, r, k, o) += X(b, y, x, d) * W(p + 1, q + 1, d, o);
                    }
            }
}

static void relu(TensorView<float, 4> Y) {
    for (int n = 0; n < Y.count(); n++)
        if (Y.data()[n] < 0) Y.data()[n] = 0;
}

void feature_grid(TensorView<float, 4> grid, TensorView<const float, 4> X, const GridWeights<float>& weights,
                  int S) {
    const int B = X.size(0), R = (X.size(1) + S - 1) / S, C = (X.size(2) + S - 1) / S,
              D = weights.b_1.size(0);
    std::vector<float> memory(B * R * C * D);
    const TensorView<float, 4> Z(memory.data(), B, R, C, D);
    conv2d(Z, X, weights.W_1, weights.b_1, S);
    relu(Z);
    conv2d(grid, Z, weights.W_2, weights.b_2, S);
    relu(grid);
}

void first_state(TensorView<float, 2> s_0, TensorView<const float, 4> grid, TensorView<const float, 2> W_0,
                 TensorView<const float, 1> b_0) {
    const int B = grid.size(0), R = grid.size(1), C = grid.size(2), D = grid.size(3), D_s = s_0.size(1);
    for (int b = 0; b < B; b++) {
        std::vector<float> m(D);
        for (int r = 0; r < R; r++)
            for (int k = 0; k < C; k++)
                for (int d = 0; d < D; d++) m[d] += grid(b, r, k, d);
        for (int d = 0; d < D; d++) m[d] /= R * C;
        for (int e = 0; e < D_s; e++) {
            float z = b_0(e);
            for (int d = 0; d < D; d++) z += m[d] * W_0(d, e);
            s_0(b, e) = std::tanh(z);
        }
    }
}

static std::vector<float> embedded(const std::vector<int>& words, TensorView<const float, 2> table) {
    std::vector<float> x;
    for (int word : words) {
        if (word < 0 || word >= table.size(0)) throw std::invalid_argument("no such word");
        for (int d = 0; d < table.size(1); d++) x.push_back(table(word, d));
    }
    return x;
}

void caption_step(TensorView<float, 2> s, TensorView<float, 3> a, TensorView<float, 2> logits,
                  TensorView<const int, 1> y_prev, TensorView<const float, 2> s_prev,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights) {
    const int B = grid.size(0), D_h = grid.size(3), D_y = weights.table.size(1), V = weights.table.size(0);
    const DecoderWeights<float>& decoder = weights.decoder;
    std::vector<int> words(B);
    for (int b = 0; b < B; b++) words[b] = y_prev(b);
    const std::vector<float> x = embedded(words, weights.table);
    std::vector<float> seen(B * D_h);
    const TensorView<float, 2> c(seen.data(), B, D_h);
    grid_attention(a, c, s_prev, grid, decoder.W_q, decoder.W_k, decoder.v);
    decoder_step(s, TensorView<const float, 2>(x.data(), B, D_y), c, s_prev, decoder.W_x, decoder.W_s,
                 decoder.b);
    for (int b = 0; b < B; b++)
        for (int v = 0; v < V; v++) {
            logits(b, v) = weights.b_o(v);
            for (int d = 0; d < s.size(1); d++) logits(b, v) += s(b, d) * weights.W_o(d, v);
        }
}

void caption_loss(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const int, 2> y,
                  TensorView<const float, 4> grid, const CaptionWeights<float>& weights, int start, int eos) {
    const int B = y.size(0), L = y.size(1), D_s = weights.W_o.size(0), V = weights.W_o.size(1);
    std::vector<float> old_state(B * D_s), new_state(B * D_s), map(B * grid.size(1) * grid.size(2)),
        scores(B * V);
    std::vector<int> read(B, start);
    std::vector<bool> ended(B);
    const TensorView<float, 2> s_prev(old_state.data(), B, D_s), s(new_state.data(), B, D_s),
        z(scores.data(), B, V);
    const TensorView<float, 3> a(map.data(), B, grid.size(1), grid.size(2));
    first_state(s_prev, grid, weights.decoder.W_0, weights.decoder.b_0);
    double sum = 0;
    int count = 0;
    for (int t = 0; t < L; t++) {
        caption_step(s, a, z, TensorView<const int, 1>(read.data(), B), s_prev, grid, weights);
        old_state = new_state;
        for (int b = 0; b < B; b++) {
            const int word = y(b, t);
            if (word < 0 || word >= V) throw std::invalid_argument("no such word");
            float most = z(b, 0), total = 0, cost = 0;
            for (int v = 0; v < V; v++) most = std::fmax(most, z(b, v));
            for (int v = 0; v < V; v++) total += std::exp(z(b, v) - most);
            if (!ended[b]) {
                cost = std::log(total) + most - z(b, word);
                sum += cost;
                count++;
            }
            if (losses) losses(b, t) = cost;
            if (word == eos) ended[b] = true;
            read[b] = word;
        }
    }
    loss(0) = float(sum / count);
}

void caption_greedy(TensorView<int, 2> y, TensorView<float, 4> A, TensorView<const float, 4> grid,
                    const CaptionWeights<float>& w, int start, int eos) {
    const int B = y.size(0), L = y.size(1), D_s = w.W_o.size(0), V = w.W_o.size(1);
    const int R = grid.size(1), C = grid.size(2);
    std::vector<float> was(B * D_s), becomes(B * D_s), looks(B * R * C), points(B * V);
    std::vector<int> said(B, start);
    std::vector<bool> over(B);
    const TensorView<float, 2> before(was.data(), B, D_s), after(becomes.data(), B, D_s);
    const TensorView<float, 2> logits(points.data(), B, V);
    const TensorView<float, 3> a(looks.data(), B, R, C);
    first_state(before, grid, w.decoder.W_0, w.decoder.b_0);
    for (int t = 0; t < L; t++) {
        caption_step(after, a, logits, TensorView<const int, 1>(said.data(), B), before, grid, w);
        was = becomes;
        for (int b = 0; b < B; b++) {
            int best = 0;
            for (int v = 1; v < V; v++)
                if (logits(b, v) > logits(b, best)) best = v;
            if (over[b]) best = eos;
            y(b, t) = best;
            for (int r = 0; A && r < R; r++)
                for (int k = 0; k < C; k++) A(b, t, r, k) = over[b] ? 0 : a(b, r, k);
            if (best == eos) over[b] = true;
            said[b] = best;
        }
    }
}

void show_and_tell(TensorView<float, 3> logits, TensorView<const int, 2> y, TensorView<const float, 4> grid,
                   const ShowAndTellWeights<float>& weights, int start) {
    const int B = y.size(0), L = y.size(1), D_s = weights.W_o.size(0), V = weights.W_o.size(1);
    const int D_y = weights.table.size(1);
    std::vector<float> state(B * D_s), next(B * D_s);
    const TensorView<float, 2> s_prev(state.data(), B, D_s), s(next.data(), B, D_s);
    first_state(s_prev, grid, weights.W_0, weights.b_0);
    for (int t = 0; t < L; t++) {
        std::vector<int> words(B, start);
        for (int b = 0; b < B; b++) {
            if (y(b, t) < 0 || y(b, t) >= V) throw std::invalid_argument("no such word");
            if (t > 0) words[b] = y(b, t - 1);
        }
        const std::vector<float> x = embedded(words, weights.table);
        rnn_cell(s, TensorView<const float, 2>(x.data(), B, D_y), s_prev, weights.W_x, weights.W_s,
                 weights.b);
        for (int b = 0; b < B; b++)
            for (int v = 0; v < V; v++) {
                logits(b, t, v) = weights.b_o(v);
                for (int d = 0; d < D_s; d++) logits(b, t, v) += s(b, d) * weights.W_o(d, v);
            }
        state = next;
    }
}

}  // namespace attn
