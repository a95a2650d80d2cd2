#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "contracts/masking_reference.h"
#include "contracts/rnn_attention_reference.h"

namespace attn::cpu {
namespace {

/// y += x W, from row `first` of W on      x [D_in], W [first + D_in or more, D_out], y [D_out]
template <class T>
void add_product(TensorView<T, 1> y, TensorView<const T, 1> x, TensorView<const T, 2> W, int first = 0) {
    for (int d = 0; d < y.size(0); ++d)
        for (int k = 0; k < x.size(0); ++k) y(d) += x(k) * W(first + k, d);
}

/// y = x      [D]
template <class T>
void copy(TensorView<T, 1> y, TensorView<const T, 1> x) {
    for (int d = 0; d < y.size(0); ++d) y(d) = x(d);
}

/// An array [rows, columns] for values that are kept from one step to the next.
template <class T>
class Temporary {
  public:
    Temporary(int rows, int columns)
        : values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)),
          view_(values_.data(), rows, columns) {}
    Temporary(const Temporary&) = delete;  // the view points to this object's numbers
    TensorView<T, 2> operator()() const { return view_; }

  private:
    std::vector<T> values_;
    TensorView<T, 2> view_;
};

/// s_0 = tanh(h_last W_0 + b_0); h_last is the state at the last j with mask[j] = 1, 0 where there is none.
template <class T>
void first_state(TensorView<T, 1> s_0, TensorView<const T, 2> h, TensorView<const std::uint8_t, 1> mask,
                 const DecoderWeights<T>& weights) {
    copy<T>(s_0, weights.b_0);
    int last = mask.size(0) - 1;
    while (last >= 0 && mask(last) == 0) --last;
    if (last >= 0) add_product<T>(s_0, h[last], weights.W_0);
    for (int d = 0; d < s_0.size(0); ++d) s_0(d) = std::tanh(s_0(d));
}

}  // namespace

template <class T>
void additive_scores(TensorView<T, 2> e, TensorView<const T, 2> s_prev, TensorView<const T, 3> h,
                     TensorView<const T, 2> W_q, TensorView<const T, 2> W_k, TensorView<const T, 1> v) {
    const int B = h.size(0), N = h.size(1), D_a = v.size(0);
    const Temporary<T> query(1, D_a), sum(1, D_a);
    const TensorView<T, 1> q = query()[0], z = sum()[0];
    for (int b = 0; b < B; ++b) {
        // q = s_prev W_q, the same for every source word
        std::fill_n(q.data(), D_a, T{0});
        add_product<T>(q, s_prev[b], W_q);
        for (int j = 0; j < N; ++j) {
            // z = q + h_j W_k
            copy<T>(z, q);
            add_product<T>(z, h[b][j], W_k);
            // e_j = v . tanh(z)
            T dot = 0;
            for (int d = 0; d < D_a; ++d) dot += v(d) * std::tanh(z(d));
            e(b, j) = dot;
        }
    }
}

template <class T>
void attention_context(TensorView<T, 2> a, TensorView<T, 2> c, TensorView<const T, 2> e,
                       TensorView<const T, 3> h, TensorView<const std::uint8_t, 2> mask) {
    // a = softmax(e) by rows, where the mask allows
    masked_softmax<T>(a, e, mask);
    // c = sum_j a_j h_j
    for (int b = 0; b < h.size(0); ++b) {
        for (int d = 0; d < h.size(2); ++d) {
            T sum = 0;
            for (int j = 0; j < h.size(1); ++j) sum += a(b, j) * h(b, j, d);
            c(b, d) = sum;
        }
    }
}

template <class T>
void decoder_step(TensorView<T, 2> s, TensorView<const T, 2> y_prev, TensorView<const T, 2> c,
                  TensorView<const T, 2> s_prev, TensorView<const T, 2> W_x, TensorView<const T, 2> W_s,
                  TensorView<const T, 1> b) {
    for (int i = 0; i < s.size(0); ++i) {
        // z = [y_prev; c] W_x + s_prev W_s + b
        const TensorView<T, 1> z = s[i];
        copy<T>(z, b);
        add_product<T>(z, y_prev[i], W_x);
        add_product<T>(z, c[i], W_x, y_prev.size(1));
        add_product<T>(z, s_prev[i], W_s);
        // s = tanh(z)
        for (int d = 0; d < z.size(0); ++d) z(d) = std::tanh(z(d));
    }
}

template <class T>
void decode(TensorView<T, 3> S, TensorView<T, 3> A, TensorView<const T, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const T, 3> y,
            const DecoderWeights<T>& weights) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2), N = h.size(1);
    const Temporary<T> e(B, N), a(B, N), c(B, h.size(2)), y_prev(B, y.size(2)), s_prev(B, D_s), s(B, D_s);
    for (int b = 0; b < B; ++b) first_state<T>(s_prev()[b], h[b], mask[b], weights);
    for (int t = 1; t <= L; ++t) {
        for (int b = 0; b < B; ++b) copy<T>(y_prev()[b], y[b][t - 1]);
        // e_t = scores of s_{t-1};  a_t, c_t = their weights and context
        additive_scores<T>(e(), s_prev(), h, weights.W_q, weights.W_k, weights.v);
        attention_context<T>(a(), c(), e(), h, mask);
        // s_t = step of y_{t-1}, c_t, s_{t-1}
        decoder_step<T>(s(), y_prev(), c(), s_prev(), weights.W_x, weights.W_s, weights.b);
        for (int b = 0; b < B; ++b) {
            copy<T>(S[b][t - 1], s()[b]);
            copy<T>(A[b][t - 1], a()[b]);
            copy<T>(s_prev()[b], s()[b]);
        }
    }
}

template <class T>
void grid_attention(TensorView<T, 3> a, TensorView<T, 2> c, TensorView<const T, 2> s_prev,
                    TensorView<const T, 4> grid, TensorView<const T, 2> W_q, TensorView<const T, 2> W_k,
                    TensorView<const T, 1> v) {
    // Cell (r, k) is at r C + k of a row-major grid, so a grid is one long sentence without pads.
    const int B = grid.size(0), cells = grid.size(1) * grid.size(2);
    const TensorView<const T, 3> h(grid.data(), B, cells, grid.size(3));
    const Temporary<T> e(B, cells);
    const std::vector<std::uint8_t> all(static_cast<std::size_t>(e().count()), 1);
    additive_scores<T>(e(), s_prev, h, W_q, W_k, v);
    attention_context<T>(TensorView<T, 2>(a.data(), B, cells), c, e(), h,
                         TensorView<const std::uint8_t, 2>(all.data(), B, cells));
}

}  // namespace attn::cpu

#include "contracts/rnn_attention_instances.h"
