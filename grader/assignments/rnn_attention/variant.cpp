#include "grader/assignments/rnn_attention/variant.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "grader/ask/inputs.h"

namespace attn::ask::rnn_attention {
namespace {

template <class T>
using Matrix = TensorView<const T, 2>;
using Mask = TensorView<const std::uint8_t, 2>;

/// The weights of the score and of the step, by the names that the functions' inputs have.
template <class T>
struct Given {
    const Arrays& inputs;
    Matrix<T> matrix(const char* name) const { return by_name(inputs, name).template view<T, 2>(); }
    TensorView<const T, 1> vector(const char* name) const {
        return by_name(inputs, name).template view<T, 1>();
    }
};

/// x[row] . W[:, column], from row `first` of W on.
template <class T>
T dot(Matrix<T> x, int row, Matrix<T> W, int column, int first = 0) {
    T sum = 0;
    for (int k = 0; k < x.size(1); ++k) sum += x(row, k) * W(first + k, column);
    return sum;
}

template <class T>
bool scores(const Variant& way, TensorView<T, 2> e, Matrix<T> s_prev, TensorView<const T, 3> h,
            const Given<T>& given) {
    Matrix<T> W_q = given.matrix("W_q"), W_k = given.matrix("W_k");
    const auto v = given.vector("v");
    if (way.W_q_W_k_swapped) std::swap(W_q, W_k);
    if (W_q.size(0) != s_prev.size(1) || W_k.size(0) != h.size(2)) return false;
    for (int b = 0; b < e.size(0); ++b) {
        for (int j = 0; j < e.size(1); ++j) {
            T sum = 0;
            for (int d = 0; d < v.size(0); ++d) {
                const T q = dot<T>(s_prev, way.batch_0_asks ? 0 : b, W_q, d), k = dot<T>(h[b], j, W_k, d);
                sum += v(d) * (way.hidden == Hidden::tanh_of_sum    ? std::tanh(q + k)
                               : way.hidden == Hidden::sum_of_tanhs ? std::tanh(q) + std::tanh(k)
                                                                    : q + k);
            }
            e(b, j) = way.hidden == Hidden::tanh_of_dot ? std::tanh(sum) : sum;
        }
    }
    return true;
}

/// a from e: the softmax of each sentence, or whatever is taken for it.
template <class T>
void normalise(const Variant& way, TensorView<T, 2> a, Matrix<T> e, Mask mask) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const int B = e.size(0), N = e.size(1);
    const auto groups = static_cast<std::size_t>(way.over == Over::words ? B : N);
    std::vector<T> maximum(groups, -kInfinity), sum(groups, 0);
    const auto at = [&way](std::vector<T>& of, int b, int j) -> T& {
        return of[static_cast<std::size_t>(way.over == Over::words ? b : j)];
    };
    const bool without_pads = way.pads == Pads::out || way.pads == Pads::out_or_nan;
    const auto counts = [&](int b, int j) { return mask(b, j) != 0 || !without_pads; };
    const auto score = [&](int b, int j) {
        if (mask(b, j) != 0) return e(b, j);
        return way.pads == Pads::score_0           ? T{0}
               : way.pads == Pads::score_minus_1e9 ? T{-1e9}
               : way.pads == Pads::score_minus_1e4 ? T{-1e4}
                                                   : e(b, j);
    };
    for (int b = 0; b < B; ++b)
        for (int j = 0; j < N; ++j)
            if (counts(b, j)) at(maximum, b, j) = std::max(at(maximum, b, j), score(b, j));
    if (!way.maximum_subtracted) std::fill(maximum.begin(), maximum.end(), T{0});
    for (int b = 0; b < B; ++b) {
        for (int j = 0; j < N; ++j) {
            a(b, j) = counts(b, j) ? std::exp(score(b, j) - at(maximum, b, j)) : 0;
            at(sum, b, j) += a(b, j);
        }
    }
    for (int b = 0; b < B; ++b) {
        for (int j = 0; j < N; ++j) {
            const T total = at(sum, b, j);
            a(b, j) = total == 0 && way.pads != Pads::out_or_nan ? 0 : a(b, j) / total;
            if (way.pads == Pads::zeroed_late && mask(b, j) == 0) a(b, j) = 0;
        }
    }
}

/// a and c; `values` are what is averaged.
template <class T>
void attend(const Variant& way, TensorView<T, 2> a, TensorView<T, 2> c, Matrix<T> e,
            TensorView<const T, 3> values, Mask mask) {
    normalise<T>(way, a, e, mask);
    for (int b = 0; b < c.size(0); ++b) {
        for (int d = 0; d < c.size(1); ++d) {
            T sum = 0;
            for (int j = 0; j < a.size(1); ++j) sum += a(b, j) * values(b, j, d);
            c(b, d) = way.mean_of_terms ? sum / static_cast<T>(a.size(1)) : sum;
        }
    }
}

template <class T>
void step(const Variant& way, TensorView<T, 2> s, Matrix<T> y_prev, Matrix<T> c, Matrix<T> s_prev,
          const Given<T>& given) {
    const Matrix<T> W_x = given.matrix("W_x"), W_s = given.matrix("W_s");
    const auto bias = given.vector("b");
    const int y_at = way.c_first ? c.size(1) : 0, c_at = way.c_first ? 0 : y_prev.size(1);
    for (int b = 0; b < s.size(0); ++b) {
        for (int d = 0; d < s.size(1); ++d) {
            T sum = way.bias ? bias(d) : 0;
            sum += dot<T>(y_prev, b, W_x, d, y_at) + dot<T>(c, b, W_x, d, c_at);
            for (int k = 0; way.W_s_used && k < s.size(1); ++k)
                sum += s_prev(b, k) * (way.W_s_transposed ? W_s(d, k) : W_s(k, d));
            s(b, d) = way.step_tanh ? std::tanh(sum) : sum;
        }
    }
}

/// The encoder's state that s_0 is made of, by whatever is taken for the last word's number.
template <class T>
void last_state(const Variant& way, TensorView<T, 2> h_last, TensorView<const T, 3> h, Mask mask) {
    for (int b = 0; b < h_last.size(0); ++b) {
        int last = -1, count = 0;
        for (int j = 0; j < mask.size(1); ++j) {
            if (mask(b, j) == 0) continue;
            last = j;
            ++count;
        }
        if (way.first == First::first_word) last = 0;
        if (way.first == First::last_pad) last = mask.size(1) - 1;
        if (way.first == First::word_by_count) last = count - 1;
        for (int d = 0; d < h_last.size(1); ++d) h_last(b, d) = last < 0 ? 0 : h(b, last, d);
    }
}

template <class T>
void first_state(const Variant& way, TensorView<T, 2> s, Matrix<T> h_last, const Given<T>& given) {
    const Matrix<T> W_0 = given.matrix("W_0");
    const auto b_0 = given.vector("b_0");
    for (int b = 0; b < s.size(0); ++b) {
        for (int d = 0; d < s.size(1); ++d) {
            const T sum = dot<T>(h_last, b, W_0, d) + b_0(d);
            s(b, d) = way.first == First::zero               ? 0
                      : way.first == First::last_word_itself ? h_last(b, d)
                      : way.first == First::no_tanh          ? sum
                                                             : std::tanh(sum);
        }
    }
}

/// h W_k, which only fits where D_a = D_h.
template <class T>
Array keys_of(TensorView<const T, 3> h, Matrix<T> W_k) {
    Array keys = Array::zeros<T>("", {h.size(0), h.size(1), W_k.size(1)});
    const auto k = keys.view<T, 3>();
    for (int b = 0; b < h.size(0); ++b)
        for (int j = 0; j < h.size(1); ++j)
            for (int d = 0; d < W_k.size(1); ++d) k(b, j, d) = dot<T>(h[b], j, W_k, d);
    return keys;
}

template <class T>
bool decode(const Variant& way, TensorView<T, 3> S, TensorView<T, 3> A, const Given<T>& given) {
    const auto h = by_name(given.inputs, "h").template view<T, 3>();
    const auto y = by_name(given.inputs, "y").template view<T, 3>();
    const auto mask = by_name(given.inputs, "mask").template view<std::uint8_t, 2>();
    const int B = h.size(0), N = h.size(1), D_h = h.size(2), L = S.size(1), D_s = S.size(2);
    const bool states_meet = way.h_last_asks || way.first == First::last_word_itself;
    if (states_meet && D_h != D_s) return false;
    if (way.values_are_keys && given.matrix("W_k").size(1) != D_h) return false;
    const Array keys = way.values_are_keys ? keys_of<T>(h, given.matrix("W_k")) : Array();
    const auto values = way.values_are_keys ? keys.view<T, 3>() : h;

    const auto temporary = [](int rows, int columns) { return Array::zeros<T>("", {rows, columns}); };
    Array hold_e = temporary(B, N), hold_a = hold_e, hold_c = temporary(B, D_h), hold_used = hold_c,
          hold_last = hold_c, hold_y = temporary(B, y.size(2)), hold_s = temporary(B, D_s),
          hold_next = hold_s;
    const auto e = hold_e.view<T, 2>(), a = hold_a.view<T, 2>(), c = hold_c.view<T, 2>(),
               h_last = hold_last.view<T, 2>(), word = hold_y.view<T, 2>(), s = hold_s.view<T, 2>(),
               next = hold_next.view<T, 2>();
    last_state<T>(way, h_last, h, mask);
    first_state<T>(way, s, h_last, given);
    const auto look = [&](Matrix<T> query) {
        if (!scores<T>(way, e, way.h_last_asks ? h_last : query, h, given)) return false;
        attend<T>(way, a, c, e, values, mask);
        return true;
    };
    for (int t = 1; t <= L; ++t) {
        const int fed = way.word == Word::previous ? t - 1 : way.word == Word::current ? t : 0;
        for (int b = 0; b < B; ++b)
            for (int d = 0; d < word.size(1); ++d) word(b, d) = y(b, fed, d);
        // The context of the step before, 0 at first, for those who come too late.
        hold_used = hold_c;
        const bool looks = way.attends != Attends::after_step && (way.attends != Attends::once || t == 1);
        if (looks && !look(s)) return false;
        if (way.attends == Attends::before_step || way.attends == Attends::once) hold_used = hold_c;
        step<T>(way, next, word, hold_used.view<T, 2>(), s, given);
        if (way.attends == Attends::after_step && !look(next)) return false;
        for (int b = 0; b < B; ++b) {
            for (int d = 0; d < D_s; ++d) S(b, t - 1, d) = next(b, d);
            for (int j = 0; j < N; ++j) A(b, t - 1, j) = a(b, j);
            for (int d = 0; !way.state_kept && d < D_s; ++d) s(b, d) = next(b, d);
        }
    }
    return true;
}

template <class T>
bool grid(const Variant& way, TensorView<T, 3> a, TensorView<T, 2> c, const Given<T>& given) {
    const auto cells = by_name(given.inputs, "grid").template view<T, 4>();
    const int B = cells.size(0), R = cells.size(1), C = cells.size(2), D_h = cells.size(3), N = R * C;
    const TensorView<const T, 3> h(cells.data(), B, N, D_h);
    if (way.values_are_keys && given.matrix("W_k").size(1) != D_h) return false;
    const Array keys = way.values_are_keys ? keys_of<T>(h, given.matrix("W_k")) : Array();
    const auto values = way.values_are_keys ? keys.view<T, 3>() : h;
    Array hold_e = Array::zeros<T>("", {B, N}), hold_a = hold_e;
    const auto e = hold_e.view<T, 2>(), flat = hold_a.view<T, 2>();
    if (!scores<T>(way, e, given.matrix("s_prev"), h, given)) return false;
    const std::vector<std::uint8_t> ones(static_cast<std::size_t>(B * N), 1);
    attend<T>(way, flat, c, e, values, Mask(ones.data(), B, N));
    if (way.cells == Cells::each_row) {
        // Each row of the grid shares out an attention of its own; the contexts add up.
        normalise<T>(way, TensorView<T, 2>(flat.data(), B * R, C), Matrix<T>(e.data(), B * R, C),
                     Mask(ones.data(), B * R, C));
        for (int b = 0; b < B; ++b) {
            for (int d = 0; d < D_h; ++d) {
                c(b, d) = 0;
                for (int j = 0; j < N; ++j) c(b, d) += flat(b, j) * values(b, j, d);
                if (way.mean_of_terms) c(b, d) /= static_cast<T>(N);
            }
        }
    }
    for (int b = 0; b < B; ++b)
        for (int r = 0; r < R; ++r)
            for (int k = 0; k < C; ++k)
                a(b, r, k) = flat(b, way.cells == Cells::transposed ? k * R + r : r * C + k);
    return true;
}

}  // namespace

template <class T>
bool compute(const Variant& way, const std::string& function, Arrays& outputs, const Arrays& inputs) {
    const Given<T> given{inputs};
    Array& first = outputs[0];
    if (function == "additive_scores")
        return scores<T>(way, first.view<T, 2>(), given.matrix("s_prev"),
                         by_name(inputs, "h").template view<T, 3>(), given);
    if (function == "attention_context") {
        attend<T>(way, first.view<T, 2>(), outputs[1].view<T, 2>(), given.matrix("e"),
                  by_name(inputs, "h").template view<T, 3>(),
                  by_name(inputs, "mask").template view<std::uint8_t, 2>());
        return !way.values_are_keys;  // there is no W_k here
    }
    if (function == "decoder_step") {
        step<T>(way, first.view<T, 2>(), given.matrix("y_prev"), given.matrix("c"), given.matrix("s_prev"),
                given);
        return true;
    }
    if (function == "decode") return decode<T>(way, first.view<T, 3>(), outputs[1].view<T, 3>(), given);
    return grid<T>(way, first.view<T, 3>(), outputs[1].view<T, 2>(), given);
}

template bool compute<float>(const Variant&, const std::string&, Arrays&, const Arrays&);
template bool compute<double>(const Variant&, const std::string&, Arrays&, const Arrays&);

}  // namespace attn::ask::rnn_attention
