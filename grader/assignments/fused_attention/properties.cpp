// Assignment 15: the properties.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/ask/inner_calls.h"
#include "grader/ask/laws.h"
#include "grader/assignments/fused_attention/helpers.h"

namespace attn::ask::fused_attention {
namespace {

/// Sums over the last axes: the numbers of each of the first `count` slices, added up.
Array sums_of_slices(const Array& array) {
    Array flat = array;
    flat.shape = {array.shape[0], static_cast<int>(array.count()) / array.shape[0]};
    return row_sums(flat);
}

/// Sums over axis 1 of [B, N, D], as [B, 1, D].
Array sums_of_columns(const Array& x) {
    Array sums = filled({x.shape[0], 1, x.shape[2]}, 0);
    for (int j = 0; j < x.shape[1]; ++j) sums = combined(1, sums, 1, slices(x, 1, j, 1));
    return sums;
}

Array product_of(const Array& x, const Array& y) {
    Array result = x;
    for (std::size_t k = 0; k < x.count(); ++k) result.as<double>()[k] *= y.as<double>()[k];
    return result;
}

/// The answer of assignment 2.
Array plain_attention(const Arrays& inputs) {
    return output_of("scaled_dot_product_attention", only(inputs, {"Q", "K", "V"}), "Y").cast<double>();
}

Property equals_plain_attention(const std::string& name, const std::string& statement,
                                const std::function<Arrays(const Arrays&)>& change) {
    return {name, statement, [change](const Arrays& inputs, Random&) {
                return Experiment{
                    {change(inputs)}, [wanted = plain_attention(inputs)](const Outputs& y) {
                        return Relations{{"Y", "Y of assignment 2", by_name(y[0], "Y"), wanted}};
                    }};
            }};
}

/// All rows of V are its row 0.
Arrays with_one_value(const Arrays& inputs) {
    const Array& V = by_name(inputs, "V");
    return with(inputs, "V", permuted(V, 1, std::vector<int>(static_cast<std::size_t>(V.shape[1]), 0)));
}

Property same_value_on_every_key() {
    return {"same_value_on_every_key", "if all keys have the same value, every query gets this value",
            [](const Arrays& inputs, Random&) {
                const Arrays run = with_one_value(inputs);
                return Experiment{{run}, [V = by_name(run, "V").cast<double>()](const Outputs& y) {
                                      return Relations{{"Y", "the value", by_name(y[0], "Y"), V}};
                                  }};
            }};
}

/// The inputs with other keys and values in the rows first .. end - 1.
Arrays with_other_keys(Arrays inputs, int first, int end, Random& random) {
    for (const char* array : {"K", "V"})
        by_name(inputs, array) = with_other_rows(by_name(inputs, array), first, random, end);
    return inputs;
}

Property later_keys() {
    const auto change = [](const Arrays& inputs, int from, Random& random) {
        return with_other_keys(inputs, from, by_name(inputs, "K").shape[1], random);
    };
    return with_option(
        later_change_nothing("future_changes_nothing", "if causal, later keys and values change nothing",
                             {.array = "K",
                              .outputs = {"Y"},
                              .in_words = "with other keys that it does not see",
                              .change = change,
                              .exact = false}),
        "causal", 1);
}

/// Each key changes alone, and the queries from which it is further away than W keep their Y.
Property far_keys() {
    return {"far_keys_change_nothing", "a key outside of the window changes nothing",
            [](const Arrays& inputs, Random& random) {
                const int N = by_name(inputs, "K").shape[1], W = static_cast<int>(option_of(inputs, "W"));
                std::vector<Arrays> runs = {inputs};
                for (int key = 0; key < N; ++key)
                    runs.push_back(with_other_keys(inputs, key, key + 1, random));
                return Experiment{
                    runs, [N, W](const Outputs& y) {
                        Relations all;
                        const auto compare = [&](int key, int from, int count) {
                            if (count < 1) return;
                            const auto part = [&](int run) {
                                return slices(by_name(y[static_cast<std::size_t>(run)], "Y"), 1, from, count);
                            };
                            all.push_back({"Y of a query", "Y with another key that it does not see", part(0),
                                           part(key + 1)});
                        };
                        for (int key = 0; key < N; ++key) {
                            compare(key, 0, key - W);
                            compare(key, key + W + 1, N - (key + W + 1));
                        }
                        return all;
                    }};
            }};
}

std::vector<Property> online_softmax_properties() {
    return {rows_sum_to_one("Y"),
            {"prefix_is_a_prefix", "m and l of the first numbers do not depend on the later ones",
             [](const Arrays& inputs, Random& random) {
                 const Array& X = by_name(inputs, "X");
                 const int count = 1 + random.below(X.shape[1]);
                 return Experiment{
                     {inputs, with(inputs, "X", leading(X, 1, count))}, [count](const Outputs& y) {
                         Relations all;
                         for (const char* name : {"m", "l"})
                             all.push_back({std::string(name) + " of the whole row",
                                            std::string(name) + " of its beginning",
                                            leading(by_name(y[0], name), 1, count), by_name(y[1], name)});
                         return all;
                     }};
             }},
            {"shift_moves_only_m", "adding 3 to all numbers adds 3 to m and changes neither l nor Y",
             [](const Arrays& inputs, Random&) {
                 const auto more = [](double x) { return x + 3; };
                 return Experiment{
                     {inputs, with(inputs, "X", map(by_name(inputs, "X"), more))}, [more](const Outputs& y) {
                         return Relations{
                             {"m + 3", "m of X + 3", map(by_name(y[0], "m"), more), by_name(y[1], "m")},
                             {"l", "l of X + 3", by_name(y[0], "l"), by_name(y[1], "l")},
                             {"Y", "Y of X + 3", by_name(y[0], "Y"), by_name(y[1], "Y")}};
                     }};
             }},
            rows_do_not_mix("a row of Y depends on its own row of X alone", {"X"})};
}

std::vector<Property> blocked_properties() {
    return {{"any_blocks", "blocks of any size give the same Y and L",
             [](const Arrays& inputs, Random& random) {
                 const int N = by_name(inputs, "Q").shape[1];
                 const Arrays other =
                     with_option(with_option(inputs, "B_r", 1 + random.below(N)), "B_c", 1 + random.below(N));
                 return Experiment{{inputs, other}, [](const Outputs& y) {
                                       Relations all;
                                       for (const char* name : {"Y", "L"})
                                           all.push_back({name, std::string(name) + " from other blocks",
                                                          by_name(y[0], name), by_name(y[1], name)});
                                       return all;
                                   }};
             }},
            equals_plain_attention("equals_assignment_2", "without a mask, Y is that of assignment 2",
                                   [](const Arrays& inputs) { return inputs; }),
            same_value_on_every_key(),
            later_keys(),
            unchanged(
                "keys_and_values_permute", "keys and values in another order change nothing",
                "with K and V permuted",
                [](const Arrays& inputs, Random& random) {
                    return permuted(inputs, {"K", "V"}, 1, random.permutation(by_name(inputs, "K").shape[1]));
                }),
            batches_do_not_mix({"Q", "K", "V"})};
}

/// A relation between the gradients of a consistent call and its inputs.
Property of_gradients(std::string name, std::string statement,
                      const std::function<Relations(const Arrays& gradients, const Arrays& inputs)>& relate) {
    return {
        std::move(name), std::move(statement), [relate](const Arrays& inputs, Random&) {
            return Experiment{{inputs}, [relate, inputs](const Outputs& y) { return relate(y[0], inputs); }};
        }};
}

std::vector<Property> backward_properties() {
    const auto times = [](const Arrays& gradients, const char* gradient, const Arrays& inputs,
                          const char* x) {
        return sums_of_slices(product_of(by_name(gradients, gradient), by_name(inputs, x).cast<double>()));
    };
    return {linear_in("dY", "dQ"),
            of_gradients("sum_of_dV", "dV summed over the keys is dY summed over the queries",
                         [](const Arrays& gradients, const Arrays& inputs) {
                             return Relations{{"the sum of dV", "the sum of dY",
                                               sums_of_columns(by_name(gradients, "dV")),
                                               sums_of_columns(by_name(inputs, "dY").cast<double>())}};
                         }),
            of_gradients(
                "sum_of_dK", "dK summed over the keys is 0: the same vector added to all keys changes no Y",
                [](const Arrays& gradients, const Arrays&) {
                    const Array& dK = by_name(gradients, "dK");
                    const int half = dK.shape[1] / 2;
                    const Array first = sums_of_columns(slices(dK, 1, 0, half)),
                                others = sums_of_columns(slices(dK, 1, half, dK.shape[1] - half));
                    return Relations{{"the sum of dK over the first keys", "minus the sum over the others",
                                      first, combined(-1, others, 0, others)}};
                }),
            of_gradients("dQ_and_dK_balance",
                         "dQ times Q and dK times K have the same sum: scores know only Q K^T",
                         [times](const Arrays& gradients, const Arrays& inputs) {
                             return Relations{{"the sum of dQ * Q", "the sum of dK * K",
                                               times(gradients, "dQ", inputs, "Q"),
                                               times(gradients, "dK", inputs, "K")}};
                         }),
            unchanged(
                "same_step_of_all_values", "1 added to all values changes no dQ", "with 1 added to V",
                [](const Arrays& inputs, Random&) {
                    const Array more = map(by_name(inputs, "V"), [](double v) { return v + 1; });
                    return consistent(with(inputs, "V", more), false);
                },
                "dQ"),
            batches_do_not_mix({"dY", "Q", "K", "V"}, "dK")};
}

std::vector<Property> sliding_properties() {
    return {far_keys(),
            equals_plain_attention(
                "wide_window_is_attention", "with a window of the whole sequence, Y is that of assignment 2",
                [](const Arrays& inputs) { return with_option(inputs, "W", by_name(inputs, "Q").shape[1]); }),
            same_value_on_every_key(),
            {"reversed_sequence", "a sequence in reverse gives the outputs in reverse",
             [](const Arrays& inputs, Random&) {
                 Arrays changed = inputs;
                 for (const char* name : {"Q", "K", "V"})
                     changed = with(std::move(changed), name, in_reverse(by_name(inputs, name), 1));
                 return Experiment{
                     {inputs, changed}, [](const Outputs& y) {
                         return Relations{{"Y in reverse", "Y of the reversed sequence",
                                           in_reverse(by_name(y[0], "Y"), 1), by_name(y[1], "Y")}};
                     }};
             }},
            batches_do_not_mix({"Q", "K", "V"})};
}

std::vector<Property> linear_properties() {
    return {{"token_by_token", "if causal, the first vectors alone give the same outputs",
             [](const Arrays& inputs, Random& random) {
                 const int N = by_name(inputs, "Q").shape[1], count = 1 + random.below(N);
                 const Arrays all = with_option(inputs, "causal", 1);
                 Arrays first = all;
                 for (const char* name : {"Q", "K", "V"})
                     first = with(std::move(first), name, leading(by_name(all, name), 1, count));
                 return Experiment{
                     {all, first}, [count](const Outputs& y) {
                         return Relations{{"Y of the first vectors", "Y of these vectors alone",
                                           leading(by_name(y[0], "Y"), 1, count), by_name(y[1], "Y")}};
                     }};
             }},
            {"last_query_sees_all", "the last query gets the same, causal or not",
             [](const Arrays& inputs, Random&) {
                 const int N = by_name(inputs, "Q").shape[1];
                 return Experiment{{with_option(inputs, "causal", 0), with_option(inputs, "causal", 1)},
                                   [N](const Outputs& y) {
                                       return Relations{{"the last row of Y", "the last row of causal Y",
                                                         slices(by_name(y[0], "Y"), 1, N - 1, 1),
                                                         slices(by_name(y[1], "Y"), 1, N - 1, 1)}};
                                   }};
             }},
            in_the_hull_of_V(),
            linear_in("V"),
            batches_do_not_mix({"Q", "K", "V"})};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"online_softmax", online_softmax_properties()},
        {"blocked_attention", blocked_properties()},
        {"blocked_attention_backward", backward_properties()},
        {"sliding_window_attention", sliding_properties()},
        {"linear_attention", linear_properties()},
    };
}

}  // namespace attn::ask::fused_attention
