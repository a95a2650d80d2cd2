#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "contracts/rnn_attention_reference.h"
#include "contracts/seq2seq_reference.h"
#include "reference/refusals.h"

namespace attn::cpu {
namespace {

/// Number `column` of x W_x + h W_h + b      x [D_x], h [D_h]
template <class T>
T sum_of(TensorView<const T, 1> x, TensorView<const T, 1> h, TensorView<const T, 2> W_x,
         TensorView<const T, 2> W_h, TensorView<const T, 1> b, int column) {
    T sum = b(column);
    for (int k = 0; k < x.size(0); ++k) sum += x(k) * W_x(k, column);
    for (int k = 0; k < h.size(0); ++k) sum += h(k) * W_h(k, column);
    return sum;
}

/// sigma(x) = 1 / (1 + exp(-x))
template <class T>
T sigma(T x) {
    return 1 / (1 + std::exp(-x));
}

/// Number `column` of x W + b      x [D_in]
template <class T>
T layer_sum(TensorView<const T, 1> x, TensorView<const T, 2> W, TensorView<const T, 1> b, int column) {
    T sum = b(column);
    for (int k = 0; k < x.size(0); ++k) sum += x(k) * W(k, column);
    return sum;
}

/// y = x      [D]
template <class T>
void copy_vector(TensorView<T, 1> y, TensorView<const T, 1> x) {
    for (int d = 0; d < y.size(0); ++d) y(d) = x(d);
}

/// An array [B, D] for values that are kept from one step to the next. It begins with zeros.
template <class T>
class Kept {
  public:
    Kept(int B, int D)
        : values_(static_cast<std::size_t>(B) * static_cast<std::size_t>(D)), view_(values_.data(), B, D) {}
    Kept(const Kept&) = delete;  // the view points to this object's numbers
    TensorView<T, 2> operator()() const { return view_; }

  private:
    std::vector<T> values_;
    TensorView<T, 2> view_;
};

/// The place in a sentence of `length` words that step t reads. Pads stay where they are.
int place_of(int t, int length, bool backward) {
    return backward && t < length ? length - 1 - t : t;
}

template <class T>
T luong_score(TensorView<const T, 1> s, TensorView<const T, 1> h, const ScoreWeights<T>& weights,
              Score kind) {
    const int D = s.size(0);
    T e = 0;
    switch (kind) {
        case Score::dot:
            // e = s . h
            for (int k = 0; k < D; ++k) e += s(k) * h(k);
            return e;
        case Score::general:
            // e = s W h
            for (int k = 0; k < D; ++k)
                for (int d = 0; d < D; ++d) e += s(k) * weights.W(k, d) * h(d);
            return e;
        case Score::concat:
            // e = v . tanh([s; h] W_c)
            for (int n = 0; n < weights.v.size(0); ++n) {
                T sum = 0;
                for (int k = 0; k < D; ++k) sum += s(k) * weights.W_c(k, n) + h(k) * weights.W_c(D + k, n);
                e += weights.v(n) * std::tanh(sum);
            }
            return e;
    }
    refuse(kind);
}

}  // namespace

template <class T>
void rnn_cell(TensorView<T, 2> h, TensorView<const T, 2> x, TensorView<const T, 2> h_prev,
              TensorView<const T, 2> W_x, TensorView<const T, 2> W_h, TensorView<const T, 1> b) {
    for (int i = 0; i < h.size(0); ++i)
        for (int d = 0; d < h.size(1); ++d) h(i, d) = std::tanh(sum_of<T>(x[i], h_prev[i], W_x, W_h, b, d));
}

template <class T>
void lstm_cell(TensorView<T, 2> h, TensorView<T, 2> c, TensorView<const T, 2> x,
               TensorView<const T, 2> h_prev, TensorView<const T, 2> c_prev, TensorView<const T, 2> W_x,
               TensorView<const T, 2> W_h, TensorView<const T, 1> b) {
    const int D = h.size(1);
    for (int i = 0; i < h.size(0); ++i) {
        for (int d = 0; d < D; ++d) {
            const T in = sigma<T>(sum_of<T>(x[i], h_prev[i], W_x, W_h, b, d));
            const T forget = sigma<T>(sum_of<T>(x[i], h_prev[i], W_x, W_h, b, D + d));
            const T candidate = std::tanh(sum_of<T>(x[i], h_prev[i], W_x, W_h, b, 2 * D + d));
            const T out = sigma<T>(sum_of<T>(x[i], h_prev[i], W_x, W_h, b, 3 * D + d));
            c(i, d) = forget * c_prev(i, d) + in * candidate;
            h(i, d) = out * std::tanh(c(i, d));
        }
    }
}

template <class T>
void gru_cell(TensorView<T, 2> h, TensorView<const T, 2> x, TensorView<const T, 2> h_prev,
              TensorView<const T, 2> W_x, TensorView<const T, 2> W_h, TensorView<const T, 1> b) {
    const int D = h.size(1);
    const Kept<T> kept(1, D);
    for (int i = 0; i < h.size(0); ++i) {
        for (int d = 0; d < D; ++d) {
            // r = sigma(x W_x^r + h_prev W_h^r + b^r)
            const T r = sigma<T>(sum_of<T>(x[i], h_prev[i], W_x, W_h, b, d));
            kept()(0, d) = r * h_prev(i, d);
        }
        for (int d = 0; d < D; ++d) {
            // z = sigma(x W_x^z + h_prev W_h^z + b^z)
            const T z = sigma<T>(sum_of<T>(x[i], h_prev[i], W_x, W_h, b, D + d));
            // n = tanh(x W_x^n + (r h_prev) W_h^n + b^n)
            const T n = std::tanh(sum_of<T>(x[i], kept()[0], W_x, W_h, b, 2 * D + d));
            // h = z h_prev + (1 - z) n
            h(i, d) = z * h_prev(i, d) + (1 - z) * n;
        }
    }
}

template <class T>
void encode(TensorView<T, 3> H, TensorView<T, 3> last, TensorView<const T, 3> X,
            TensorView<const int, 1> lengths, const RecurrentLayers<T>& weights, Order order) {
    const int B = X.size(0), N = X.size(1), D = X.size(2), M = last.size(1);
    for (int b = 0; b < B; ++b) require_inside(lengths(b), 0, N + 1);
    // The first layer's input: the words in the order in which they are read.
    for (int b = 0; b < B; ++b) {
        for (int t = 0; t < N; ++t) {
            int word = t;
            if (order == Order::reversed && t < lengths(b)) word = lengths(b) - 1 - t;
            copy_vector<T>(H[b][t], X[b][word]);
        }
    }
    const Kept<T> x(B, D), h_prev(B, D), h(B, D);
    for (int m = 0; m < M; ++m) {
        std::fill_n(h_prev().data(), B * D, T{0});
        const bool backward = order == Order::bidirectional && m % 2 == 1;
        for (int t = 0; t < N; ++t) {
            for (int b = 0; b < B; ++b) copy_vector<T>(x()[b], H[b][place_of(t, lengths(b), backward)]);
            rnn_cell<T>(h(), x(), h_prev(), weights.W_x[m], weights.W_h[m], weights.b[m]);
            // A sentence that has ended keeps its last state.
            for (int b = 0; b < B; ++b) {
                if (t < lengths(b)) copy_vector<T>(h_prev()[b], h()[b]);
                if (t < lengths(b))
                    copy_vector<T>(H[b][place_of(t, lengths(b), backward)], h()[b]);
                else
                    std::fill_n(H[b][t].data(), D, T{0});
            }
        }
        for (int b = 0; b < B; ++b) copy_vector<T>(last[b][m], h_prev()[b]);
    }
}

template <class T>
void decode_without_attention(TensorView<T, 3> S, TensorView<const T, 2> h_last, TensorView<const T, 3> y,
                              const PlainDecoder<T>& weights) {
    const int B = S.size(0), L = S.size(1), D_s = S.size(2);
    const Kept<T> y_prev(B, y.size(2)), s_prev(B, D_s), s(B, D_s);
    // s_0 = tanh(h_last W_0 + b_0)
    for (int b = 0; b < B; ++b) {
        for (int d = 0; d < D_s; ++d) {
            T sum = weights.b_0(d);
            for (int k = 0; k < h_last.size(1); ++k) sum += h_last(b, k) * weights.W_0(k, d);
            s_prev()(b, d) = std::tanh(sum);
        }
    }
    // S = [s_1, .., s_L]
    for (int t = 1; t <= L; ++t) {
        for (int b = 0; b < B; ++b) copy_vector<T>(y_prev()[b], y[b][t - 1]);
        // s_t = step of y_{t-1}, c, s_{t-1}, with c = h_last
        decoder_step<T>(s(), y_prev(), h_last, s_prev(), weights.W_x, weights.W_s, weights.b);
        for (int b = 0; b < B; ++b) {
            copy_vector<T>(S[b][t - 1], s()[b]);
            copy_vector<T>(s_prev()[b], s()[b]);
        }
    }
}

template <class T>
void luong_scores(TensorView<T, 2> e, TensorView<const T, 2> s, TensorView<const T, 3> h,
                  const ScoreWeights<T>& weights, Score kind) {
    for (int b = 0; b < h.size(0); ++b)
        for (int j = 0; j < h.size(1); ++j) e(b, j) = luong_score<T>(s[b], h[b][j], weights, kind);
}

template <class T>
void luong_decode(TensorView<T, 3> S, TensorView<T, 3> U, TensorView<T, 3> R, TensorView<T, 3> A,
                  TensorView<const T, 3> h, TensorView<const std::uint8_t, 2> mask,
                  TensorView<const T, 2> s_0, TensorView<const T, 2> u_0, TensorView<const T, 3> y,
                  const LuongDecoder<T>& weights, Score kind) {
    const int B = S.size(0), L = S.size(1), D = S.size(2), N = h.size(1), D_r = R.size(2);
    const Kept<T> e(B, N), a(B, N), c(B, D), y_prev(B, y.size(2)), s(B, D), s_prev(B, D), u(B, D),
        u_prev(B, D);
    for (int b = 0; b < B; ++b) {
        copy_vector<T>(s_prev()[b], s_0[b]);
        copy_vector<T>(u_prev()[b], u_0[b]);
    }
    for (int t = 1; t <= L; ++t) {
        for (int b = 0; b < B; ++b) copy_vector<T>(y_prev()[b], y[b][t - 1]);
        // s_t = step of y_{t-1}, c_{t-1}, s_{t-1}
        decoder_step<T>(s(), y_prev(), c(), s_prev(), weights.W_x, weights.W_s, weights.b);
        // e_t = scores of s_t;  a_t, c_t = their weights and context
        luong_scores<T>(e(), s(), h, weights.score, kind);
        attention_context<T>(a(), c(), e(), h, mask);
        // r_t = tanh([s_t; c_t] W_r)
        for (int b = 0; b < B; ++b) {
            for (int n = 0; n < D_r; ++n) {
                T sum = 0;
                for (int k = 0; k < D; ++k)
                    sum += s()(b, k) * weights.W_r(k, n) + c()(b, k) * weights.W_r(D + k, n);
                R(b, t - 1, n) = std::tanh(sum);
            }
        }
        // u_t = step of s_t, c_t, u_{t-1}
        decoder_step<T>(u(), s(), c(), u_prev(), weights.V_x, weights.V_u, weights.b_u);
        for (int b = 0; b < B; ++b) {
            copy_vector<T>(S[b][t - 1], s()[b]);
            copy_vector<T>(U[b][t - 1], u()[b]);
            copy_vector<T>(A[b][t - 1], a()[b]);
            copy_vector<T>(s_prev()[b], s()[b]);
            copy_vector<T>(u_prev()[b], u()[b]);
        }
    }
}

template <class T>
void hard_attention(TensorView<T, 2> a, TensorView<T, 2> c, TensorView<const T, 2> e,
                    TensorView<const T, 3> h, TensorView<const std::uint8_t, 2> mask) {
    for (int b = 0; b < h.size(0); ++b) {
        // The first word with the largest score; -1 if there is no word.
        int best = -1;
        for (int j = 0; j < h.size(1); ++j)
            if (mask(b, j) && (best < 0 || e(b, j) > e(b, best))) best = j;
        for (int j = 0; j < h.size(1); ++j) a(b, j) = j == best ? 1 : 0;
        for (int d = 0; d < h.size(2); ++d) c(b, d) = best < 0 ? T(0) : h(b, best, d);
    }
}

template <class T>
void key_value_attention(TensorView<T, 2> a, TensorView<T, 2> c, TensorView<const T, 2> s,
                         TensorView<const T, 3> h, TensorView<const std::uint8_t, 2> mask,
                         const KeyValueWeights<T>& weights) {
    const int B = h.size(0), N = h.size(1), D_k = weights.b_k.size(0), D_v = c.size(1);
    // The word j of sentence b has row b N + j of k and v.
    const Kept<T> q(B, D_k), k(B * N, D_k), v(B * N, D_v), e(B, N);
    for (int b = 0; b < B; ++b) {
        for (int n = 0; n < D_k; ++n) q()(b, n) = layer_sum<T>(s[b], weights.W_q, weights.b_q, n);
        for (int j = 0; j < N; ++j) {
            const int row = b * N + j;
            for (int n = 0; n < D_k; ++n)
                k()(row, n) = sigma<T>(layer_sum<T>(h[b][j], weights.W_k, weights.b_k, n));
            for (int d = 0; d < D_v; ++d) v()(row, d) = layer_sum<T>(h[b][j], weights.W_v, weights.b_v, d);
            T sum = 0;
            for (int n = 0; n < D_k; ++n) sum += q()(b, n) * k()(row, n);
            e()(b, j) = sum;
        }
    }
    attention_context<T>(a, c, e(), TensorView<const T, 3>(v().data(), B, N, D_v), mask);
}

}  // namespace attn::cpu

#include "contracts/seq2seq_instances.h"
