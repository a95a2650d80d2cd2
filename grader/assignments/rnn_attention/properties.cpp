// Assignment 1: the properties. Those of attention_context, decode and grid_attention are in
// properties_of_context.cpp.

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/ask/laws.h"
#include "grader/assignments/rnn_attention/helpers.h"

namespace attn::ask::rnn_attention {
namespace {

using Names = std::vector<std::string>;

double minus(double x) {
    return -x;
}

/// The inputs with f of each number of the named arrays.
Arrays changed(Arrays inputs, const Names& names, double (*f)(double)) {
    for (const std::string& name : names) {
        Array& array = by_name(inputs, name);
        array = map(array, f);
    }
    return inputs;
}

/// f(-x) = -f(x), because tanh is odd.
Property odd(const Names& names, const std::string& in_words, const std::string& output) {
    return {"odd", "negated " + in_words + " give the negated " + output, [=](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs, changed(inputs, names, minus)}, [=](const Outputs& y) {
                        return Relations{{"-" + output, output + " of negated " + in_words,
                                          map(by_name(y[0], output), minus), by_name(y[1], output)}};
                    }};
            }};
}

/// Negates the hidden units of the score before tanh and their weights v after it.
Property hidden_units_turn() {
    return unchanged(
        "hidden_units_turn", "a hidden unit with all its weights negated changes nothing",
        "with hidden units negated",
        [](const Arrays& inputs, Random& random) {
            const auto units = static_cast<std::size_t>(by_name(inputs, "v").shape[0]);
            std::vector<double> sign(units);
            for (double& s : sign) s = random.below(2) == 0 ? 1 : -1;
            sign[0] = -1;
            Arrays turned = inputs;
            for (const char* name : {"W_q", "W_k", "v"}) {
                std::size_t k = 0;
                turned = with(std::move(turned), name,
                              map(by_name(inputs, name), [&](double w) { return w * sign[k++ % units]; }));
            }
            return turned;
        },
        "e");
}

/// The order of the hidden units does not matter.
Property hidden_units_permute() {
    return unchanged(
        "hidden_units_permute", "the hidden units in another order change nothing",
        "with hidden units permuted",
        [](const Arrays& inputs, Random& random) {
            const auto order = random.permutation(by_name(inputs, "v").shape[0]);
            return permuted(permuted(inputs, {"v"}, 0, order), {"W_q", "W_k"}, 1, order);
        },
        "e");
}

/// The score depends only on the sum q + k. If the first rows of W_q and W_k are equal, a number can be moved
/// from the first element of s_prev to the first element of every h of its sentence without changing that
/// sum.
Property only_the_sum_counts() {
    return {
        "only_the_sum_counts", "moving a number from one product to the other changes nothing",
        [](const Arrays& inputs, Random& random) {
            Array W_k = by_name(inputs, "W_k"), s_prev = by_name(inputs, "s_prev"), h = by_name(inputs, "h");
            const Array& W_q = by_name(inputs, "W_q");
            std::copy_n(W_q.as<float>().begin(), W_q.shape[1], W_k.as<float>().begin());
            const Arrays run = with(inputs, "W_k", W_k);
            for (int b = 0; b < h.shape[0]; ++b) {
                const float moved = random.normal() + 2;
                s_prev.view<float, 2>()(b, 0) += moved;
                for (int j = 0; j < h.shape[1]; ++j) h.view<float, 3>()(b, j, 0) -= moved;
            }
            return Experiment{
                {run, with(with(run, "s_prev", s_prev), "h", h)}, [](const Outputs& y) {
                    return Relations{{"e", "e with the sum kept", by_name(y[0], "e"), by_name(y[1], "e")}};
                }};
        }};
}

/// No number of the output exceeds the bound, even if the inputs are scaled up. The bound is the sum of the
/// magnitudes of the input `bounds`, or 1 if `bounds` is empty.
Property bounded(const std::string& output, const std::string& statement, const Names& enlarged,
                 const std::string& bounds) {
    return {"bounded", statement, [=](const Arrays& inputs, Random&) {
                const Arrays run = changed(inputs, enlarged, [](double x) { return 20 * x; });
                double most = bounds.empty() ? 1 : 0;
                if (!bounds.empty())
                    for (const float x : by_name(inputs, bounds).as<float>())
                        most += std::abs(static_cast<double>(x));
                return Experiment{
                    {run}, [=](const Outputs& y) {
                        const Array& all = by_name(y[0], output);
                        return Relations{{output, "the nearest number within the bounds", all,
                                          map(all, [most](double x) { return std::clamp(x, -most, most); })}};
                    }};
            }};
}

/// The order of the units of a decoder state does not matter.
Property state_units_permute() {
    return {"state_units_permute", "the units of the state in another order permute s",
            [](const Arrays& inputs, Random& random) {
                const auto order = random.permutation(by_name(inputs, "b").shape[0]);
                const Arrays changed =
                    permuted(permuted(inputs, {"s_prev", "W_x", "W_s"}, 1, order), {"W_s", "b"}, 0, order);
                return Experiment{
                    {inputs, changed}, [order](const Outputs& y) {
                        return Relations{{"permuted s", "s of permuted units",
                                          permuted(by_name(y[0], "s"), 1, order), by_name(y[1], "s")}};
                    }};
            }};
}

/// y_prev multiplies the first D_y rows of W_x.
Property y_enters_first() {
    return {"y_enters_first", "y_prev = 0 is the same as zeros in the first D_y rows of W_x",
            [](const Arrays& inputs, Random&) {
                const Array &y_prev = by_name(inputs, "y_prev"), &W_x = by_name(inputs, "W_x");
                const auto first = static_cast<std::size_t>(y_prev.shape[1] * W_x.shape[1]);
                std::size_t k = 0;
                const Array without = map(W_x, [&](double w) { return k++ < first ? 0.0 : w; });
                return Experiment{{with_zeros(inputs, {"y_prev"}), with(inputs, "W_x", without)},
                                  [](const Outputs& y) {
                                      return Relations{{"s of y_prev = 0", "s of W_x without rows for y_prev",
                                                        by_name(y[0], "s"), by_name(y[1], "s")}};
                                  }};
            }};
}

/// Element k of s_prev multiplies row k of W_s.
Property s_enters_by_rows() {
    return {"s_enters_by_rows", "zeros in s_prev are the same as zeros in those rows of W_s",
            [](const Arrays& inputs, Random&) {
                Array s_prev = by_name(inputs, "s_prev"), W_s = by_name(inputs, "W_s");
                for (int k = 0; k < s_prev.shape[1]; k += 2) {
                    for (int b = 0; b < s_prev.shape[0]; ++b) s_prev.view<float, 2>()(b, k) = 0;
                    for (int d = 0; d < W_s.shape[1]; ++d) W_s.view<float, 2>()(k, d) = 0;
                }
                return Experiment{{with(inputs, "s_prev", s_prev), with(inputs, "W_s", W_s)},
                                  [](const Outputs& y) {
                                      return Relations{{"s of zeros in s_prev", "s of zero rows in W_s",
                                                        by_name(y[0], "s"), by_name(y[1], "s")}};
                                  }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"additive_scores",
         {equivariant("words_permute", "permuted source words give permuted scores", {"h"}, 1, "e"),
          hidden_units_permute(), hidden_units_turn(), odd({"s_prev", "h"}, "states", "e"),
          linear_in("v", "e"),
          bounded("e", "no score is larger than |v_1| + |v_2| + .., whatever the states", {"s_prev", "h"},
                  "v"),
          only_the_sum_counts(),
          equivariant("batches_permute", "batches in another order give the same in that order",
                      {"s_prev", "h"}, 0, "e"),
          batches_do_not_mix({"s_prev", "h"}, "e")}},
        {"attention_context", attention_context_properties()},
        {"decoder_step",
         {odd({"y_prev", "c", "s_prev", "b"}, "inputs and bias", "s"), state_units_permute(),
          y_enters_first(), s_enters_by_rows(), bounded("s", "s lies between -1 and 1", {}, ""),
          batches_do_not_mix({"y_prev", "c", "s_prev"}, "s")}},
        {"decode", decode_properties()},
        {"grid_attention", grid_attention_properties()},
    };
}

}  // namespace attn::ask::rnn_attention
