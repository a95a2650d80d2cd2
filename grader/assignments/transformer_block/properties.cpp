// Assignment 5: the properties.

#include <cmath>

#include "contracts/transformer_block_reference.h"
#include "grader/ask/laws.h"

namespace attn::ask::transformer_block {
namespace {

Arrays with_norm(Arrays inputs, Norm norm) {
    return in_place_of(std::move(inputs), option("norm", static_cast<double>(norm)));
}

/// Layer norm of every row of X, in double.
Array normalised(const Array& X, const Array& gamma, const Array& beta, double eps) {
    Array result = X.cast<double>();
    const Array in = result, g = gamma.cast<double>(), b = beta.cast<double>();
    const int D = X.shape.back(), rows = static_cast<int>(X.count()) / D;
    cpu::layer_norm<double>({result.as<double>().data(), rows, D}, {in.as<double>().data(), rows, D},
                            g.view<double, 1>(), b.view<double, 1>(), eps);
    return result;
}

/// Slice k of the first axis.
Array slice(const Array& array, int k) {
    Array one = permuted(array, 0, {k});
    one.shape.erase(one.shape.begin());
    return one;
}

/// Permuted tokens give permuted outputs. `axis`: the axis of the tokens.
Property tokens_permute(int axis) {
    const Property law =
        equivariant("equivariant", "f(P X) = P f(X): permuted tokens give permuted outputs", {"X"}, axis);
    return {law.name, law.statement, [law](const Arrays& inputs, Random& random) {
                return law.design(without(inputs, "mask"), random);
            }};
}

/// If gamma and beta are the same for all features, a row of Y has mean beta and variance
/// gamma^2 var / (var + eps).
Experiment mean_and_variance(const Arrays& inputs, Random&) {
    constexpr double kGain = 1.5, kShift = -0.75;
    Arrays run = with(inputs, "gamma", filled(by_name(inputs, "gamma").shape, kGain).cast<float>());
    run = with(std::move(run), "beta", filled(by_name(inputs, "beta").shape, kShift).cast<float>());
    const Array X = by_name(inputs, "X").cast<double>();
    const double eps = option_of(inputs, "eps"), D = X.shape.back();
    const auto mean = [D](const Array& rows) {
        return folded(rows, 0, [D](double total, double x) { return total + x / D; });
    };
    const auto variance = [mean](const Array& rows) {
        const Array square = map(rows, [](double x) { return x * x; }), mu = mean(rows);
        return combined(1, mean(square), -1, map(mu, [](double m) { return m * m; }));
    };
    const Array expected = map(variance(X), [=](double v) { return kGain * kGain * v / (v + eps); });
    return {{run}, [=](const Outputs& y) {
                const Array& Y = by_name(y[0], "Y");
                const Array mu = mean(Y);
                return Relations{
                    {"the mean of a row of Y", "beta", mu, filled(mu.shape, kShift)},
                    {"the variance of a row of Y", "gamma^2 var / (var + eps)", variance(Y), expected}};
            }};
}

/// Doubles X and multiplies eps by 4: (2 x - 2 mu) / sqrt(4 var + 4 eps) = (x - mu) / sqrt(var + eps).
Arrays twice_as_large(const Arrays& inputs, Random&) {
    const Array& X = by_name(inputs, "X");
    return in_place_of(with(inputs, "X", combined(2, X, 0, X)), option("eps", 4 * option_of(inputs, "eps")));
}

/// Permutes the hidden numbers: columns of W_1, b_1 and rows of W_2 together. Their axis is the last one of
/// W_1 and b_1 and the last but one of W_2.
Arrays permute_hidden(const Arrays& inputs, Random& random) {
    const Array &W_1 = by_name(inputs, "W_1"), &b_1 = by_name(inputs, "b_1"), &W_2 = by_name(inputs, "W_2");
    const int axis = static_cast<int>(b_1.shape.size()) - 1;
    const auto order = random.permutation(b_1.shape.back());
    Arrays changed = with(inputs, "W_1", permuted(W_1, axis + 1, order));
    changed = with(std::move(changed), "b_1", permuted(b_1, axis, order));
    return with(std::move(changed), "W_2", permuted(W_2, axis, order));
}

/// Each of the three activations satisfies a(x) - a(-x) = x. So the difference of two runs contains no
/// activation.
Experiment odd_part(const Arrays& inputs, Random&) {
    const auto negated = [&inputs](const char* name) {
        const Array& array = by_name(inputs, name);
        return combined(-1, array, 0, array);
    };
    const Arrays flipped = with(with(inputs, "W_1", negated("W_1")), "b_1", negated("b_1"));
    // The expected difference, in double: (X W_1 + b_1) W_2.
    const Array X = by_name(inputs, "X").cast<double>(), W_1 = by_name(inputs, "W_1").cast<double>();
    const Array b_1 = by_name(inputs, "b_1").cast<double>(), W_2 = by_name(inputs, "W_2").cast<double>();
    Array expected = Array::zeros<double>("", X.shape);
    const auto y = expected.view<double, 2>();
    for (int i = 0; i < y.size(0); ++i) {
        for (int f = 0; f < W_1.shape[1]; ++f) {
            double hidden = b_1.view<double, 1>()(f);
            for (int d = 0; d < y.size(1); ++d)
                hidden += X.view<double, 2>()(i, d) * W_1.view<double, 2>()(d, f);
            for (int d = 0; d < y.size(1); ++d) y(i, d) += hidden * W_2.view<double, 2>()(f, d);
        }
    }
    return {{inputs, flipped}, [expected](const Outputs& out) {
                return Relations{{"Y - Y of -W_1 and -b_1", "(X W_1 + b_1) W_2",
                                  combined(1, by_name(out[0], "Y"), -1, by_name(out[1], "Y")), expected}};
            }};
}

/// The inputs with weights for which the outputs of attention and feed-forward are 0.
Arrays silenced(const Arrays& inputs) {
    return with_zeros(inputs, {"W_O", "b_O", "W_2", "b_2"});
}

Property silent_block(Norm norm) {
    const bool pre = norm == Norm::pre;
    return {pre ? "silent_pre_block" : "silent_post_block",
            pre ? "with W_O, W_2 and their biases 0 and norm = pre, Y = X"
                : "with W_O, W_2 and their biases 0 and norm = post, Y = LN_2(LN_1(X))",
            [norm, pre](const Arrays& inputs, Random&) {
                Array expected = by_name(inputs, "X").cast<double>();
                for (const char* k : {"_1", "_2"})
                    if (!pre)
                        expected =
                            normalised(expected, by_name(inputs, std::string("gamma") + k),
                                       by_name(inputs, std::string("beta") + k), option_of(inputs, "eps"));
                return Experiment{
                    {with_norm(silenced(inputs), norm)}, [expected, pre](const Outputs& y) {
                        return Relations{{"Y", pre ? "X" : "LN_2(LN_1(X))", by_name(y[0], "Y"), expected}};
                    }};
            }};
}

/// The same with L blocks.
Property silent_blocks(Norm norm) {
    const bool pre = norm == Norm::pre;
    return {pre ? "silent_pre_blocks" : "silent_post_blocks",
            pre ? "with W_O, W_2 and their biases 0 and norm = pre, Y = LN(X)"
                : "with W_O, W_2 and their biases 0 and norm = post, Y is X after 2 L layer norms",
            [norm, pre](const Arrays& inputs, Random&) {
                Array expected = by_name(inputs, "X").cast<double>();
                for (int l = 0; l < by_name(inputs, "W_O").shape[0] && !pre; ++l)
                    for (const char* k : {"_1", "_2"})
                        expected = normalised(expected, slice(by_name(inputs, std::string("gamma") + k), l),
                                              slice(by_name(inputs, std::string("beta") + k), l),
                                              option_of(inputs, "eps"));
                if (pre)
                    expected = normalised(expected, by_name(inputs, "gamma"), by_name(inputs, "beta"),
                                          option_of(inputs, "eps"));
                return Experiment{{with_norm(silenced(inputs), norm)}, [expected, pre](const Outputs& y) {
                                      return Relations{{"Y", pre ? "LN(X)" : "X after 2 L layer norms",
                                                        by_name(y[0], "Y"), expected}};
                                  }};
            }};
}

/// In a pre-norm stack a block that adds nothing can be left out.
Experiment take_out_a_silent_block(const Arrays& inputs, Random&) {
    const Arrays pre = with_norm(inputs, Norm::pre);
    const int last = by_name(pre, "W_O").shape[0] - 1;
    Arrays silent = pre, shorter = pre;
    for (const char* name : {"W_O", "b_O", "W_2", "b_2"}) {
        Array& array = by_name(silent, name);
        const std::size_t each = array.count() / static_cast<std::size_t>(last + 1);
        for (std::size_t k = each * static_cast<std::size_t>(last); k < array.count(); ++k)
            array.as<float>()[k] = 0;
    }
    for (const char* name : {"gamma_1", "beta_1", "W_Q", "b_Q", "W_K", "b_K", "W_V", "b_V", "W_O", "b_O",
                             "gamma_2", "beta_2", "W_1", "b_1", "W_2", "b_2"})
        if (last > 0) shorter = with(shorter, name, leading(by_name(shorter, name), 0, last));
    return {{silent, last > 0 ? shorter : silent}, [](const Outputs& y) {
                return Relations{{"Y with a silent last block", "Y without that block", by_name(y[0], "Y"),
                                  by_name(y[1], "Y")}};
            }};
}

/// With a causal mask, changing the last token changes the last output only.
Experiment change_the_future(const Arrays& inputs, Random& random) {
    const Array& X = by_name(inputs, "X");
    const int N = X.shape[1];
    const Arrays masked = in_place_of(inputs, causal_masks(X.shape[0], N, N));
    return {
        {masked, with(masked, "X", with_other_rows(X, N - 1, random))}, [N](const Outputs& y) {
            return Relations{{"Y before the last token", "Y before another last token",
                              leading(by_name(y[0], "Y"), 1, N - 1), leading(by_name(y[1], "Y"), 1, N - 1)}};
        }};
}

/// Layer norm removes a shift of its input, and the residual passes it on.
Experiment shift_through(const Arrays& inputs, Random& random) {
    const Arrays pre = with_norm(inputs, Norm::pre), shifted = shift_rows(pre, 0.25, random);
    const Array by = combined(1, by_name(shifted, "X").cast<double>(), -1, by_name(pre, "X").cast<double>());
    return {{pre, shifted}, [by](const Outputs& y) {
                return Relations{
                    {"Y of X + c", "Y + c", by_name(y[1], "Y"), combined(1, by_name(y[0], "Y"), 1, by)}};
            }};
}

Property causal_mask_hides_the_future() {
    return {"causal", "with a causal mask the outputs before the last do not depend on the last token",
            change_the_future};
}

Property hidden_permute() {
    return unchanged("hidden_numbers_permute",
                     "columns of W_1, b_1 and rows of W_2 permuted together change nothing",
                     "with W_1, b_1 and W_2 permuted", permute_hidden);
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"layer_norm",
         {{"mean_and_variance", "with constant gamma and beta, a row of Y has mean beta and variance gamma^2",
           mean_and_variance},
          shift_invariant("LN(x + c) = LN(x)", 0.25),
          unchanged("scales_with_eps", "LN of 2 x with 4 eps = LN of x with eps", "of 2 X and 4 eps",
                    twice_as_large),
          rows_do_not_mix("a row of Y depends on its own row of X alone", {"X"}),
          linear_in("gamma")}},
        {"feed_forward",
         {rows_do_not_mix("a token's output depends on that token alone", {"X"}),
          tokens_permute(0),
          hidden_permute(),
          linear_in("W_2"),
          {"odd_part", "a(x) - a(-x) = x for every activation: Y less Y of -W_1, -b_1 is (X W_1 + b_1) W_2",
           odd_part}}},
        {"transformer_block",
         {silent_block(Norm::pre),
          silent_block(Norm::post),
          tokens_permute(1),
          causal_mask_hides_the_future(),
          batches_do_not_mix({"X"}),
          {"pre_norm_hands_a_shift_on", "with norm = pre, X + c gives Y + c", shift_through},
          hidden_permute()}},
        {"transformer_encoder",
         {silent_blocks(Norm::pre),
          silent_blocks(Norm::post),
          {"silent_last_block",
           "with norm = pre, a last block with W_O, W_2 and their biases 0 changes nothing",
           take_out_a_silent_block},
          tokens_permute(1),
          causal_mask_hides_the_future(),
          batches_do_not_mix({"X"})}},
    };
}

}  // namespace attn::ask::transformer_block
