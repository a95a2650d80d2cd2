// Assignment 4: the properties of masked_softmax and masked_attention.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/ask/laws.h"
#include "grader/assignments/masking/helpers.h"

namespace attn::ask::masking {
namespace {

/// 1 for every row of a mask with at least one 1, 0 for the other rows.
Array rows_that_allow(const Array& mask) {
    return folded(mask.cast<double>(), 0, [](double most, double m) { return std::max(most, m); });
}

/// Keeps a where the mask is 0 and sets it to 0 elsewhere.
Array where_masked(Array a, const Array& mask) {
    for (std::size_t k = 0; k < a.count(); ++k)
        if (mask.as<std::uint8_t>()[k] != 0) a.as<double>()[k] = 0;
    return a;
}

Property rows_sum_to_one_or_zero(const std::string& output) {
    return {"rows_sum_to_one", "the rows of " + output + " sum to 1, and to 0 where nothing is allowed",
            [output](const Arrays& inputs, Random&) {
                return Experiment{{inputs}, [output, mask = by_name(inputs, "mask")](const Outputs& y) {
                                      const Array sums = row_sums(by_name(y[0], output));
                                      return Relations{{"the sum of a row of " + output, "the expected sum",
                                                        sums, rows_that_allow(mask)}};
                                  }};
            }};
}

Property masked_is_zero(const std::string& output) {
    return {"masked_is_zero", "where the mask is 0, " + output + " is exactly 0",
            [output](const Arrays& inputs, Random&) {
                return Experiment{{inputs}, [output, mask = by_name(inputs, "mask")](const Outputs& y) {
                                      const Array masked = where_masked(by_name(y[0], output), mask);
                                      return Relations{{output, "0", masked, filled(masked.shape, 0), true}};
                                  }};
            }};
}

Arrays other_masked_scores(const Arrays& inputs, Random& random) {
    Array X = by_name(inputs, "X");
    const auto& mask = by_name(inputs, "mask").as<std::uint8_t>();
    for (std::size_t k = 0; k < X.count(); ++k)
        if (mask[k] == 0) X.as<float>()[k] = 300 * random.normal();
    return with(inputs, "X", X);
}

/// `array` with `more` slices added at the end of an axis. Their elements come from `fill`.
Array extended(const Array& array, int axis, int more, const std::function<double()>& fill) {
    const int length = array.shape[static_cast<std::size_t>(axis)];
    std::vector<int> order(static_cast<std::size_t>(length + more), 0);
    std::iota(order.begin(), order.begin() + length, 0);
    const std::size_t inner = element_count(Shape(array.shape.begin() + axis + 1, array.shape.end()));
    std::size_t at = 0;
    return map(permuted(array, axis, order), [&](double x) {
        const std::size_t slice = at++ / inner % order.size();
        return slice < static_cast<std::size_t>(length) ? x : fill();
    });
}

constexpr int kMore = 3;

/// The inputs with kMore keys added that no query may attend to.
Arrays with_padding(const Arrays& inputs, const std::vector<std::pair<std::string, int>>& axes,
                    Random& random) {
    Arrays changed = inputs;
    for (const auto& [name, axis] : axes)
        changed = with(std::move(changed), name, extended(by_name(inputs, name), axis, kMore, [&random] {
                           return 3.0 * static_cast<double>(random.normal());
                       }));
    const Array& mask = by_name(inputs, "mask");
    const int last = static_cast<int>(mask.shape.size()) - 1;
    return with(std::move(changed), "mask", extended(mask, last, kMore, [] { return 0.0; }));
}

/// Adding masked keys changes none of the outputs `same`. The output `longer` gets zeros for these keys.
Property padding_changes_nothing(const std::vector<std::pair<std::string, int>>& axes,
                                 const std::vector<std::string>& same, const std::string& longer) {
    return {"masked_is_truncated", "adding keys that no query may attend to changes nothing",
            [=](const Arrays& inputs, Random& random) {
                return Experiment{
                    {inputs, with_padding(inputs, axes, random)}, [=](const Outputs& y) {
                        Relations relations;
                        for (const std::string& output : same)
                            relations.push_back({output, output + " with masked keys added",
                                                 by_name(y[0], output), by_name(y[1], output)});
                        const Array& weights = by_name(y[0], longer);
                        const int axis = static_cast<int>(weights.shape.size()) - 1;
                        relations.push_back({longer + ", zeros added", longer + " with masked keys added",
                                             extended(weights, axis, kMore, [] { return 0.0; }),
                                             by_name(y[1], longer)});
                        return relations;
                    }};
            }};
}

/// The first min(N_q, N_k) queries, keys and values as one sequence with a causal mask.
Arrays causal_sequence(const Arrays& inputs) {
    const Array &Q = by_name(inputs, "Q"), &K = by_name(inputs, "K"), &V = by_name(inputs, "V");
    const int N = std::min(Q.shape[1], K.shape[1]);
    Arrays result = with(with(inputs, "Q", leading(Q, 1, N)), "K", leading(K, 1, N));
    return with(with(std::move(result), "V", leading(V, 1, N)), "mask", causal_masks(Q.shape[0], N, N));
}

/// The inputs with other numbers at token j of the array `name`.
Arrays changed_at(int j, const std::string& name, Arrays inputs, Random& random) {
    Array& array = by_name(inputs, name);
    for (int b = 0; b < array.shape[0]; ++b)
        for (int d = 0; d < array.shape[2]; ++d) array.view<float, 3>()(b, j, d) = 2 * random.normal();
    return inputs;
}

/// The Jacobian of Y with respect to the tokens is lower triangular. This is tested by changing one token at
/// a time. If a query or a value changes, the outputs before it must stay the same bit for bit. If a key
/// changes, rounding errors are allowed: a right answer may mask after the softmax and renormalise.
Property future_changes_nothing() {
    return {"future_changes_nothing",
            "under a causal mask a changed token j leaves the outputs i < j: bit for bit where its query and "
            "value change, up to rounding where its key does",
            [](const Arrays& inputs, Random& random) {
                const Arrays given = causal_sequence(inputs);
                const int N = by_name(given, "Q").shape[1];
                std::vector<Arrays> runs{given};
                for (int j = 1; j < N; ++j) {
                    const Arrays changed = changed_at(j, "V", changed_at(j, "Q", given, random), random);
                    runs.push_back(changed);
                    runs.push_back(changed_at(j, "K", changed, random));
                }
                return Experiment{
                    runs, [N](const Outputs& y) {
                        Relations relations;
                        for (int j = 1; j < N; ++j) {
                            const std::string token = "token " + std::to_string(j) + " changed";
                            const std::string before = "Y before token " + std::to_string(j);
                            const Array expected = leading(by_name(y[0], "Y"), 1, j);
                            for (const bool key : {false, true}) {
                                const auto run = static_cast<std::size_t>(2 * j - (key ? 0 : 1));
                                relations.push_back({before, before + ", " + token, expected,
                                                     leading(by_name(y[run], "Y"), 1, j), !key});
                            }
                        }
                        return relations;
                    }};
            }};
}

Property first_gets_first_value() {
    return {"first_gets_first_value", "under a causal mask the first query's output is the first value",
            [](const Arrays& inputs, Random&) {
                const Arrays run = causal_sequence(inputs);
                return Experiment{{run}, [V = by_name(run, "V").cast<double>()](const Outputs& y) {
                                      return Relations{{"the first row of Y", "the first row of V",
                                                        leading(by_name(y[0], "Y"), 1, 1), leading(V, 1, 1)}};
                                  }};
            }};
}

/// Computes token by token with the keys and values so far, as a decoder does. The last two tokens are
/// computed in one step, so that the mask hides a key.
Property step_by_step() {
    return {"step_by_step",
            "computing step by step with a cache of keys and values gives the same as all at once",
            [](const Arrays& inputs, Random&) {
                const Arrays given = causal_sequence(inputs);
                const int N = by_name(given, "Q").shape[1], B = by_name(given, "Q").shape[0];
                std::vector<Arrays> runs{given};
                std::vector<int> ends;
                for (int done = 0; done < N; done = ends.back()) {
                    const int end = done + 2 == N ? N : done + 1;
                    Arrays step = with(given, "Q", slices(by_name(given, "Q"), 1, done, end - done));
                    for (const char* name : {"K", "V"})
                        step = with(std::move(step), name, leading(by_name(given, name), 1, end));
                    runs.push_back(with(std::move(step), "mask", causal_masks(B, end - done, end)));
                    ends.push_back(end);
                }
                return Experiment{
                    runs, [ends](const Outputs& y) {
                        Relations relations;
                        for (std::size_t k = 0; k < ends.size(); ++k) {
                            const int done = k == 0 ? 0 : ends[k - 1];
                            relations.push_back({"Y of step " + std::to_string(k),
                                                 "the same rows, all at once", by_name(y[k + 1], "Y"),
                                                 slices(by_name(y[0], "Y"), 1, done, ends[k] - done)});
                        }
                        return relations;
                    }};
            }};
}

/// Query 0 of every batch may not attend to any key.
Property empty_rows_give_zero() {
    return {"empty_rows_give_zero", "a query that may attend to nothing gets zeros, and it alone",
            [](const Arrays& inputs, Random&) {
                Array mask = map(by_name(inputs, "mask"), [](double) { return 1.0; });
                for (int b = 0; b < mask.shape[0]; ++b)
                    for (int j = 0; j < mask.shape[2]; ++j) mask.view<std::uint8_t, 3>()(b, 0, j) = 0;
                const Arrays all = with(inputs, "mask", map(mask, [](double) { return 1.0; }));
                return Experiment{
                    {with(inputs, "mask", mask), all}, [](const Outputs& y) {
                        Relations relations;
                        for (const char* name : {"A", "Y"}) {
                            const Array &got = by_name(y[0], name), &full = by_name(y[1], name);
                            const Array first = leading(got, 1, 1);
                            const std::string output = name;
                            relations.push_back(
                                {output + " of the empty row", "0", first, filled(first.shape, 0), true});
                            relations.push_back({output + " of the other rows", "without an empty row",
                                                 slices_from(got, 1, 1), slices_from(full, 1, 1)});
                        }
                        return relations;
                    }};
            }};
}

/// With Q = 0 all scores are equal, so all allowed keys get the same weight.
Property zero_Q_gives_the_mean() {
    return {
        "zero_Q_gives_the_mean", "Q = 0 gives the mean of the allowed values",
        [](const Arrays& inputs, Random&) {
            const Array &Q = by_name(inputs, "Q"), &V = by_name(inputs, "V"), &mask = by_name(inputs, "mask");
            Array expected = Array::zeros<double>("", {Q.shape[0], Q.shape[1], V.shape[2]});
            const auto to = expected.view<double, 3>();
            const auto m = mask.view<std::uint8_t, 3>();
            const auto v = V.view<float, 3>();
            for (int b = 0; b < to.size(0); ++b) {
                for (int i = 0; i < to.size(1); ++i) {
                    int allowed = 0;
                    for (int j = 0; j < m.size(2); ++j) allowed += m(b, i, j);
                    for (int j = 0; j < m.size(2); ++j)
                        for (int d = 0; d < to.size(2) && m(b, i, j) != 0; ++d)
                            to(b, i, d) += static_cast<double>(v(b, j, d)) / allowed;
                }
            }
            return Experiment{
                {with_zeros(inputs, {"Q"})}, [expected](const Outputs& y) {
                    return Relations{{"Y", "the mean of the allowed values", by_name(y[0], "Y"), expected}};
                }};
        }};
}

Arrays permute_keys(const Arrays& inputs, Random& random) {
    const auto order = random.permutation(by_name(inputs, "K").shape[1]);
    return permuted(permuted(inputs, {"K", "V"}, 1, order), {"mask"}, 2, order);
}

}  // namespace

std::vector<Property> masked_softmax_properties() {
    return {rows_sum_to_one_or_zero("Y"),
            masked_is_zero("Y"),
            shift_invariant("adding a constant to a row of X changes nothing"),
            unchanged("masked_scores_unused", "other scores where the mask is 0 change nothing",
                      "of other masked scores", other_masked_scores),
            padding_changes_nothing({{"X", 1}}, {}, "Y"),
            equivariant("columns_permute", "X and mask permuted by columns give permuted columns",
                        {"X", "mask"}, 1),
            rows_do_not_mix("a row of Y depends on its own rows of X and mask alone", {"X", "mask"})};
}

std::vector<Property> masked_attention_properties() {
    return {
        rows_sum_to_one_or_zero("A"),
        masked_is_zero("A"),
        future_changes_nothing(),
        first_gets_first_value(),
        step_by_step(),
        padding_changes_nothing({{"K", 1}, {"V", 1}}, {"Y"}, "A"),
        empty_rows_give_zero(),
        zero_Q_gives_the_mean(),
        equivariant("queries_permute", "queries and rows of the mask permuted together permute the outputs",
                    {"Q", "mask"}, 1),
        unchanged("keys_and_values_permute", "K, V and the mask's columns permuted together change nothing",
                  "with K, V and the mask's columns permuted", permute_keys),
        equivariant("batches_permute", "batches permuted with their masks give permuted batches",
                    {"Q", "K", "V", "mask"}, 0)};
}

}  // namespace attn::ask::masking
