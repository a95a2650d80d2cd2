#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "contracts/image_captioning_reference.h"
#include "contracts/rnn_attention_reference.h"
#include "contracts/seq2seq_reference.h"
#include "reference/owned.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

template <class T>
void rectify(TensorView<T, 4> Y) {
    for (int k = 0; k < Y.count(); ++k) Y.data()[k] = std::max(T(0), Y.data()[k]);
}

/// y = x W + b      [B, D_out]
template <class T>
void project_states(TensorView<T, 2> y, TensorView<const T, 2> x, TensorView<const T, 2> W,
                    TensorView<const T, 1> b) {
    for (int i = 0; i < y.size(0); ++i) {
        for (int o = 0; o < y.size(1); ++o) {
            T sum = b(o);
            for (int d = 0; d < x.size(1); ++d) sum += x(i, d) * W(d, o);
            y(i, o) = sum;
        }
    }
}

/// The vectors of words: x[b] = table[y[b]]
template <class T>
void look_up(TensorView<T, 2> x, TensorView<const int, 1> y, TensorView<const T, 2> table) {
    for (int b = 0; b < y.size(0); ++b) {
        require_inside(y(b), 0, table.size(0));
        for (int d = 0; d < table.size(1); ++d) x(b, d) = table(y(b), d);
    }
}

/// The words that step t reads: y_{t-1}, and y_0 = start.
void words_before(TensorView<int, 1> y_prev, TensorView<const int, 2> y, int t, int start) {
    // y_{t-1} = y[b, t - 2], and start if t = 1
    for (int b = 0; b < y.size(0); ++b) y_prev(b) = t == 1 ? start : y(b, t - 2);
}

/// Whether a caption has ended before its word t.
bool has_ended(TensorView<const int, 1> y, int t, int eos) {
    for (int k = 1; k < t; ++k)
        if (y(k - 1) == eos) return true;
    return false;
}

/// -ln softmax(x)[v]. The logarithm of a softmax would be -inf where the softmax is 0.
template <class T>
T surprise_of(TensorView<const T, 1> x, int v) {
    T max = x(0), sum = 0;
    for (int w = 1; w < x.size(0); ++w) max = std::max(max, x(w));
    for (int w = 0; w < x.size(0); ++w) sum += std::exp(x(w) - max);
    return max + std::log(sum) - x(v);
}

/// The place of the largest number, of the first one if there are several.
template <class T>
int argmax(TensorView<const T, 1> x) {
    int best = 0;
    for (int v = 1; v < x.size(0); ++v)
        if (x(v) > x(best)) best = v;
    return best;
}

template <class T>
void copy_states(TensorView<T, 2> y, TensorView<const T, 2> x) {
    for (int b = 0; b < y.size(0); ++b)
        for (int d = 0; d < y.size(1); ++d) y(b, d) = x(b, d);
}

}  // namespace

template <class T>
void conv2d(TensorView<T, 4> Y, TensorView<const T, 4> X, TensorView<const T, 4> W,
            TensorView<const T, 1> bias, int S) {
    const int R = X.size(1), C = X.size(2), D_in = X.size(3);
    for (int b = 0; b < Y.size(0); ++b) {
        for (int r = 0; r < Y.size(1); ++r) {
            for (int k = 0; k < Y.size(2); ++k) {
                for (int o = 0; o < Y.size(3); ++o) {
                    // Y[r, k, o] = bias[o] + sum_{p, q, d} X[S r + p - 1, S k + q - 1, d] W[p, q, d, o]
                    T sum = bias(o);
                    for (int p = 0; p < 3; ++p) {
                        for (int q = 0; q < 3; ++q) {
                            const int row = S * r + p - 1, column = S * k + q - 1;
                            if (0 <= row && row < R && 0 <= column && column < C)
                                for (int d = 0; d < D_in; ++d) sum += X(b, row, column, d) * W(p, q, d, o);
                        }
                    }
                    Y(b, r, k, o) = sum;
                }
            }
        }
    }
}

template <class T>
void feature_grid(TensorView<T, 4> grid, TensorView<const T, 4> X, const GridWeights<T>& weights, int S) {
    Owned<T, 4> between(X.size(0), (X.size(1) + S - 1) / S, (X.size(2) + S - 1) / S, weights.b_1.size(0));
    const TensorView<T, 4> Z = between.view;
    // Z = relu(conv2d of X)
    conv2d<T>(Z, X, weights.W_1, weights.b_1, S);
    rectify<T>(Z);
    // grid = relu(conv2d of Z)
    conv2d<T>(grid, Z, weights.W_2, weights.b_2, S);
    rectify<T>(grid);
}

template <class T>
void first_state(TensorView<T, 2> s_0, TensorView<const T, 4> grid, TensorView<const T, 2> W_0,
                 TensorView<const T, 1> b_0) {
    const int B = grid.size(0), R = grid.size(1), C = grid.size(2), D_h = grid.size(3);
    Owned<T, 2> mean(B, D_h);
    const TensorView<T, 2> m = mean.view;
    // m = 1/(R C) sum_{r, k} grid[r, k]
    for (int b = 0; b < B; ++b) {
        for (int d = 0; d < D_h; ++d) {
            T sum = 0;
            for (int r = 0; r < R; ++r)
                for (int k = 0; k < C; ++k) sum += grid(b, r, k, d);
            m(b, d) = sum / static_cast<T>(R * C);
        }
    }
    // s_0 = tanh(m W_0 + b_0)
    project_states<T>(s_0, m, W_0, b_0);
    for (int b = 0; b < B; ++b)
        for (int d = 0; d < s_0.size(1); ++d) s_0(b, d) = std::tanh(s_0(b, d));
}

template <class T>
void caption_step(TensorView<T, 2> s, TensorView<T, 3> a, TensorView<T, 2> logits,
                  TensorView<const int, 1> y_prev, TensorView<const T, 2> s_prev, TensorView<const T, 4> grid,
                  const CaptionWeights<T>& weights) {
    const int B = grid.size(0);
    Owned<T, 2> words(B, weights.table.size(1)), context(B, grid.size(3));
    const TensorView<T, 2> x = words.view, c = context.view;
    // a, c = attention over the cells
    grid_attention<T>(a, c, s_prev, grid, weights.decoder.W_q, weights.decoder.W_k, weights.decoder.v);
    // s = step of table[y_prev], c, s_prev
    look_up<T>(x, y_prev, weights.table);
    decoder_step<T>(s, x, c, s_prev, weights.decoder.W_x, weights.decoder.W_s, weights.decoder.b);
    // logits = s W_o + b_o
    project_states<T>(logits, s, weights.W_o, weights.b_o);
}

template <class T>
void caption_loss(TensorView<T, 1> loss, TensorView<T, 2> losses, TensorView<const int, 2> y,
                  TensorView<const T, 4> grid, const CaptionWeights<T>& weights, int start, int eos) {
    const int B = y.size(0), L = y.size(1), D_s = weights.W_o.size(0);
    Owned<T, 2> old_states(B, D_s), new_states(B, D_s), scores(B, weights.W_o.size(1));
    Owned<T, 3> map(B, grid.size(1), grid.size(2));
    std::vector<int> words(static_cast<std::size_t>(B));
    const TensorView<T, 2> s_prev = old_states.view, s = new_states.view, logits = scores.view;
    const TensorView<int, 1> y_prev(words.data(), B);
    T sum = 0;
    int counted = 0;
    first_state<T>(s_prev, grid, weights.decoder.W_0, weights.decoder.b_0);
    for (int t = 1; t <= L; ++t) {
        words_before(y_prev, y, t, start);
        caption_step<T>(s, map.view, logits, y_prev, s_prev, grid, weights);
        copy_states<T>(s_prev, s);
        for (int b = 0; b < B; ++b) {
            const int y_t = y(b, t - 1);
            require_inside(y_t, 0, logits.size(1));
            // -ln softmax(logits_t)[y_t], or 0 after the first eos
            const bool counts = !has_ended(y[b], t, eos);
            const T one = counts ? surprise_of<T>(logits[b], y_t) : T(0);
            if (losses) losses(b, t - 1) = one;
            sum += one;
            counted += counts ? 1 : 0;
        }
    }
    loss(0) = sum / static_cast<T>(counted);
}

template <class T>
void caption_greedy(TensorView<int, 2> y, TensorView<T, 4> A, TensorView<const T, 4> grid,
                    const CaptionWeights<T>& weights, int start, int eos) {
    const int B = y.size(0), L = y.size(1), R = grid.size(1), C = grid.size(2), D_s = weights.W_o.size(0);
    Owned<T, 2> old_states(B, D_s), new_states(B, D_s), scores(B, weights.W_o.size(1));
    Owned<T, 3> map(B, R, C);
    std::vector<int> words(static_cast<std::size_t>(B));
    const TensorView<T, 2> s_prev = old_states.view, s = new_states.view, logits = scores.view;
    const TensorView<T, 3> a = map.view;
    const TensorView<int, 1> y_prev(words.data(), B);
    first_state<T>(s_prev, grid, weights.decoder.W_0, weights.decoder.b_0);
    for (int t = 1; t <= L; ++t) {
        words_before(y_prev, y, t, start);
        caption_step<T>(s, a, logits, y_prev, s_prev, grid, weights);
        copy_states<T>(s_prev, s);
        for (int b = 0; b < B; ++b) {
            // y_t = argmax of logits_t, or eos after the first eos
            const bool ended = has_ended(y[b], t, eos);
            y(b, t - 1) = ended ? eos : argmax<T>(logits[b]);
            if (A)
                for (int r = 0; r < R; ++r)
                    for (int k = 0; k < C; ++k) A(b, t - 1, r, k) = ended ? T(0) : a(b, r, k);
        }
    }
}

template <class T>
void show_and_tell(TensorView<T, 3> logits, TensorView<const int, 2> y, TensorView<const T, 4> grid,
                   const ShowAndTellWeights<T>& weights, int start) {
    const int B = y.size(0), L = y.size(1), D_s = weights.W_o.size(0), V = weights.W_o.size(1);
    Owned<T, 2> vectors(B, weights.table.size(1)), old_states(B, D_s), new_states(B, D_s), scores(B, V);
    std::vector<int> words(static_cast<std::size_t>(B));
    const TensorView<int, 1> y_prev(words.data(), B);
    const TensorView<T, 2> x = vectors.view, s_prev = old_states.view, s = new_states.view,
                           logits_t = scores.view;
    first_state<T>(s_prev, grid, weights.W_0, weights.b_0);
    for (int t = 1; t <= L; ++t) {
        words_before(y_prev, y, t, start);
        look_up<T>(x, y_prev, weights.table);
        // s_t = cell of table[y_{t-1}], s_{t-1}
        rnn_cell<T>(s, x, s_prev, weights.W_x, weights.W_s, weights.b);
        copy_states<T>(s_prev, s);
        project_states<T>(logits_t, s, weights.W_o, weights.b_o);
        for (int b = 0; b < B; ++b)
            for (int v = 0; v < V; ++v) logits(b, t - 1, v) = logits_t(b, v);
    }
    // No step reads the last word.
    for (int b = 0; b < B; ++b) require_inside(y(b, L - 1), 0, V);
}

}  // namespace attn::cpu

#include "contracts/image_captioning_instances.h"
