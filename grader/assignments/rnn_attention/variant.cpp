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

/// Views of the inputs by name.
template <class T>
struct InputViews {
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
bool scores(const Variant& variant, TensorView<T, 2> e, Matrix<T> s_prev, TensorView<const T, 3> h,
            const InputViews<T>& views) {
    Matrix<T> W_q = views.matrix("W_q"), W_k = views.matrix("W_k");
    const auto v = views.vector("v");
    if (variant.W_q_W_k_swapped) std::swap(W_q, W_k);
    if (W_q.size(0) != s_prev.size(1) || W_k.size(0) != h.size(2)) return false;
    for (int b = 0; b < e.size(0); ++b) {
        for (int j = 0; j < e.size(1); ++j) {
            T sum = 0;
            for (int d = 0; d < v.size(0); ++d) {
                const T q = dot<T>(s_prev, variant.batch_0_asks ? 0 : b, W_q, d), k = dot<T>(h[b], j, W_k, d);
                sum += v(d) * (variant.hidden == Hidden::tanh_of_sum    ? std::tanh(q + k)
                               : variant.hidden == Hidden::sum_of_tanhs ? std::tanh(q) + std::tanh(k)
                                                                        : q + k);
            }
            e(b, j) = variant.hidden == Hidden::tanh_of_dot ? std::tanh(sum) : sum;
        }
    }
    return true;
}

/// a from e: the softmax of each sentence, as the variant computes it.
template <class T>
void normalise(const Variant& variant, TensorView<T, 2> a, Matrix<T> e, Mask mask) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const int B = e.size(0), N = e.size(1);
    const auto groups = static_cast<std::size_t>(variant.over == Over::words ? B : N);
    std::vector<T> maximum(groups, -kInfinity), sum(groups, 0);
    const auto at = [&variant](std::vector<T>& of, int b, int j) -> T& {
        return of[static_cast<std::size_t>(variant.over == Over::words ? b : j)];
    };
    const bool without_pads = variant.pads == Pads::out || variant.pads == Pads::out_or_nan;
    const auto counts = [&](int b, int j) { return mask(b, j) != 0 || !without_pads; };
    const auto score = [&](int b, int j) {
        if (mask(b, j) != 0) return e(b, j);
        return variant.pads == Pads::score_0           ? T{0}
               : variant.pads == Pads::score_minus_1e9 ? T{-1e9}
               : variant.pads == Pads::score_minus_1e4 ? T{-1e4}
                                                       : e(b, j);
    };
    const bool with_pads =
        variant.subtract == Subtract::with_pads || variant.subtract == Subtract::with_pads_or_0;
    for (int b = 0; b < B; ++b)
        for (int j = 0; j < N; ++j)
            if (counts(b, j) || with_pads) at(maximum, b, j) = std::max(at(maximum, b, j), score(b, j));
    if (variant.subtract == Subtract::nothing) std::fill(maximum.begin(), maximum.end(), T{0});
    for (int b = 0; b < B; ++b) {
        for (int j = 0; j < N; ++j) {
            a(b, j) = counts(b, j) ? std::exp(score(b, j) - at(maximum, b, j)) : 0;
            at(sum, b, j) += a(b, j);
        }
    }
    const auto divided = [&](int b, int j) {
        return variant.pads == Pads::out_or_nan || (variant.subtract == Subtract::with_pads && counts(b, j));
    };
    for (int b = 0; b < B; ++b) {
        for (int j = 0; j < N; ++j) {
            const T total = at(sum, b, j);
            a(b, j) = total == 0 && !divided(b, j) ? 0 : a(b, j) / total;
            if (variant.pads == Pads::zeroed_late && mask(b, j) == 0) a(b, j) = 0;
        }
    }
}

/// a and c. c is a weighted sum of `values`.
template <class T>
void attend(const Variant& variant, TensorView<T, 2> a, TensorView<T, 2> c, Matrix<T> e,
            TensorView<const T, 3> values, Mask mask) {
    normalise<T>(variant, a, e, mask);
    for (int b = 0; b < c.size(0); ++b) {
        for (int d = 0; d < c.size(1); ++d) {
            T sum = 0;
            for (int j = 0; j < a.size(1); ++j) sum += a(b, j) * values(b, j, d);
            c(b, d) = variant.mean_of_terms ? sum / static_cast<T>(a.size(1)) : sum;
        }
    }
}

template <class T>
void step(const Variant& variant, TensorView<T, 2> s, Matrix<T> y_prev, Matrix<T> c, Matrix<T> s_prev,
          const InputViews<T>& views) {
    const Matrix<T> W_x = views.matrix("W_x"), W_s = views.matrix("W_s");
    const auto bias = views.vector("b");
    const int y_at = variant.c_first ? c.size(1) : 0, c_at = variant.c_first ? 0 : y_prev.size(1);
    for (int b = 0; b < s.size(0); ++b) {
        for (int d = 0; d < s.size(1); ++d) {
            T sum = variant.bias ? bias(d) : 0;
            sum += dot<T>(y_prev, b, W_x, d, y_at) + dot<T>(c, b, W_x, d, c_at);
            for (int k = 0; variant.W_s_used && k < s.size(1); ++k)
                sum += s_prev(b, k) * (variant.W_s_transposed ? W_s(d, k) : W_s(k, d));
            s(b, d) = variant.step_tanh ? std::tanh(sum) : sum;
        }
    }
}

/// The encoder's state from which s_0 is computed. The variant says which word counts as the last.
template <class T>
void last_state(const Variant& variant, TensorView<T, 2> h_last, TensorView<const T, 3> h, Mask mask) {
    for (int b = 0; b < h_last.size(0); ++b) {
        int last = -1, count = 0;
        for (int j = 0; j < mask.size(1); ++j) {
            if (mask(b, j) == 0) continue;
            last = j;
            ++count;
        }
        if (variant.first == First::first_word) last = 0;
        if (variant.first == First::last_pad) last = mask.size(1) - 1;
        if (variant.first == First::word_by_count) last = count - 1;
        for (int d = 0; d < h_last.size(1); ++d) h_last(b, d) = last < 0 ? 0 : h(b, last, d);
    }
}

template <class T>
void first_state(const Variant& variant, TensorView<T, 2> s, Matrix<T> h_last, const InputViews<T>& views) {
    const Matrix<T> W_0 = views.matrix("W_0");
    const auto b_0 = views.vector("b_0");
    for (int b = 0; b < s.size(0); ++b) {
        for (int d = 0; d < s.size(1); ++d) {
            const T sum = dot<T>(h_last, b, W_0, d) + b_0(d);
            s(b, d) = variant.first == First::zero               ? 0
                      : variant.first == First::last_word_itself ? h_last(b, d)
                      : variant.first == First::no_tanh          ? sum
                                                                 : std::tanh(sum);
        }
    }
}

/// h W_k. It has the shape of h only if D_a = D_h.
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
bool decode(const Variant& variant, TensorView<T, 3> S, TensorView<T, 3> A, const InputViews<T>& views) {
    const auto h = by_name(views.inputs, "h").template view<T, 3>();
    const auto y = by_name(views.inputs, "y").template view<T, 3>();
    const auto mask = by_name(views.inputs, "mask").template view<std::uint8_t, 2>();
    const int B = h.size(0), N = h.size(1), D_h = h.size(2), L = S.size(1), D_s = S.size(2);
    const bool states_meet = variant.h_last_asks || variant.first == First::last_word_itself;
    if (states_meet && D_h != D_s) return false;
    if (variant.values_are_keys && views.matrix("W_k").size(1) != D_h) return false;
    const Array keys = variant.values_are_keys ? keys_of<T>(h, views.matrix("W_k")) : Array();
    const auto values = variant.values_are_keys ? keys.view<T, 3>() : h;

    const auto temporary = [](int rows, int columns) { return Array::zeros<T>("", {rows, columns}); };
    Array e_array = temporary(B, N), a_array = e_array, c_array = temporary(B, D_h), used_array = c_array,
          last_array = c_array, y_array = temporary(B, y.size(2)), s_array = temporary(B, D_s),
          next_array = s_array;
    const auto e = e_array.view<T, 2>(), a = a_array.view<T, 2>(), c = c_array.view<T, 2>(),
               h_last = last_array.view<T, 2>(), word = y_array.view<T, 2>(), s = s_array.view<T, 2>(),
               next = next_array.view<T, 2>();
    last_state<T>(variant, h_last, h, mask);
    first_state<T>(variant, s, h_last, views);
    const auto attend_from = [&](Matrix<T> query) {
        if (!scores<T>(variant, e, variant.h_last_asks ? h_last : query, h, views)) return false;
        attend<T>(variant, a, c, e, values, mask);
        return true;
    };
    for (int t = 1; t <= L; ++t) {
        const int y_index = variant.word == Word::previous ? t - 1 : variant.word == Word::current ? t : 0;
        for (int b = 0; b < B; ++b)
            for (int d = 0; d < word.size(1); ++d) word(b, d) = y(b, y_index, d);
        // A late context is that of the previous step, and 0 in the first step.
        used_array = c_array;
        const bool attends_now =
            variant.attends != Attends::after_step && (variant.attends != Attends::once || t == 1);
        if (attends_now && !attend_from(s)) return false;
        if (variant.attends == Attends::before_step || variant.attends == Attends::once) used_array = c_array;
        step<T>(variant, next, word, used_array.view<T, 2>(), s, views);
        if (variant.attends == Attends::after_step && !attend_from(next)) return false;
        for (int b = 0; b < B; ++b) {
            for (int d = 0; d < D_s; ++d) S(b, t - 1, d) = next(b, d);
            for (int j = 0; j < N; ++j) A(b, t - 1, j) = a(b, j);
            for (int d = 0; !variant.state_kept && d < D_s; ++d) s(b, d) = next(b, d);
        }
    }
    return true;
}

template <class T>
bool grid(const Variant& variant, TensorView<T, 3> a, TensorView<T, 2> c, const InputViews<T>& views) {
    const auto cells = by_name(views.inputs, "grid").template view<T, 4>();
    const int B = cells.size(0), R = cells.size(1), C = cells.size(2), D_h = cells.size(3), N = R * C;
    const TensorView<const T, 3> h(cells.data(), B, N, D_h);
    if (variant.values_are_keys && views.matrix("W_k").size(1) != D_h) return false;
    const Array keys = variant.values_are_keys ? keys_of<T>(h, views.matrix("W_k")) : Array();
    const auto values = variant.values_are_keys ? keys.view<T, 3>() : h;
    Array e_array = Array::zeros<T>("", {B, N}), a_array = e_array;
    const auto e = e_array.view<T, 2>(), flat = a_array.view<T, 2>();
    if (!scores<T>(variant, e, views.matrix("s_prev"), h, views)) return false;
    const std::vector<std::uint8_t> ones(static_cast<std::size_t>(B * N), 1);
    attend<T>(variant, flat, c, e, values, Mask(ones.data(), B, N));
    if (variant.cells == Cells::each_row) {
        // Each row of the grid has a softmax of its own. The context is the sum over the rows.
        normalise<T>(variant, TensorView<T, 2>(flat.data(), B * R, C), Matrix<T>(e.data(), B * R, C),
                     Mask(ones.data(), B * R, C));
        for (int b = 0; b < B; ++b) {
            for (int d = 0; d < D_h; ++d) {
                c(b, d) = 0;
                for (int j = 0; j < N; ++j) c(b, d) += flat(b, j) * values(b, j, d);
                if (variant.mean_of_terms) c(b, d) /= static_cast<T>(N);
            }
        }
    }
    for (int b = 0; b < B; ++b)
        for (int r = 0; r < R; ++r)
            for (int k = 0; k < C; ++k)
                a(b, r, k) = flat(b, variant.cells == Cells::transposed ? k * R + r : r * C + k);
    return true;
}

}  // namespace

template <class T>
bool compute(const Variant& variant, const std::string& function, Arrays& outputs, const Arrays& inputs) {
    const InputViews<T> views{inputs};
    Array& first = outputs[0];
    if (function == "additive_scores")
        return scores<T>(variant, first.view<T, 2>(), views.matrix("s_prev"),
                         by_name(inputs, "h").template view<T, 3>(), views);
    if (function == "attention_context") {
        attend<T>(variant, first.view<T, 2>(), outputs[1].view<T, 2>(), views.matrix("e"),
                  by_name(inputs, "h").template view<T, 3>(),
                  by_name(inputs, "mask").template view<std::uint8_t, 2>());
        return !variant.values_are_keys;  // this function has no W_k
    }
    if (function == "decoder_step") {
        step<T>(variant, first.view<T, 2>(), views.matrix("y_prev"), views.matrix("c"),
                views.matrix("s_prev"), views);
        return true;
    }
    if (function == "decode") return decode<T>(variant, first.view<T, 3>(), outputs[1].view<T, 3>(), views);
    return grid<T>(variant, first.view<T, 3>(), outputs[1].view<T, 2>(), views);
}

template bool compute<float>(const Variant&, const std::string&, Arrays&, const Arrays&);
template bool compute<double>(const Variant&, const std::string&, Arrays&, const Arrays&);

}  // namespace attn::ask::rnn_attention
