// Assignment 7: properties of right answers.

#include <algorithm>
#include <functional>
#include <utility>

#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::seq2seq {
namespace {

using Names = std::vector<std::string>;

/// Block `block` of the bias b, D_h numbers wide, is `value`.
Arrays with_gate(Arrays inputs, int block, float value) {
    Array& b = by_name(inputs, "b");
    const int D = by_name(inputs, "h_prev").shape[1];
    for (int d = 0; d < D; ++d) b.as<float>()[static_cast<std::size_t>(block * D + d)] = value;
    return inputs;
}

/// Bias that opens or closes a gate of any shipped inputs: sigma is 1 or 0.
constexpr float kOpen = 200, kClosed = -200;

Property law(std::string name, std::string statement,
             std::function<std::vector<Arrays>(const Arrays&, Random&)> runs,
             std::function<Relations(const Outputs&)> relate) {
    return {std::move(name), std::move(statement),
            [runs = std::move(runs), relate = std::move(relate)](const Arrays& inputs, Random& random) {
                return Experiment{runs(inputs, random), relate};
            }};
}

/// Each of these outputs is the same in both runs, in its first `kept` slices along axis 1 (0: in all).
Relations same(const Outputs& y, const Names& outputs, const std::string& in_words, int kept = 0,
               bool exact = false) {
    Relations relations;
    for (const std::string& name : outputs) {
        const auto part = [&y, &name, kept](std::size_t run) {
            const Array& all = by_name(y[run], name);
            return kept > 0 ? leading(all, 1, kept) : all;
        };
        relations.push_back({name, name + " " + in_words, part(0), part(1), exact});
    }
    return relations;
}

double minus(double x) {
    return -x;
}

/// The units of the state in another order, with all their weights, give the same in that order. The columns
/// of W_x, W_h and b are `blocks` blocks of units.
Property units_permute(int blocks, const Names& states, const Names& outputs) {
    return {"units_permute", "the units of the state in another order give the same in that order",
            [=](const Arrays& inputs, Random& random) {
                const int D = by_name(inputs, "h_prev").shape[1];
                const std::vector<int> order = random.permutation(D);
                std::vector<int> columns;
                for (int block = 0; block < blocks; ++block)
                    for (const int unit : order) columns.push_back(block * D + unit);
                const Arrays run = permuted(
                    permuted(permuted(permuted(inputs, states, 1, order), {"W_x", "W_h"}, 1, columns),
                             {"W_h"}, 0, order),
                    {"b"}, 0, columns);
                return Experiment{{inputs, run}, [=](const Outputs& y) {
                                      Relations relations;
                                      for (const std::string& name : outputs)
                                          relations.push_back(
                                              {name + " in this order", name + " of units in this order",
                                               permuted(by_name(y[0], name), 1, order), by_name(y[1], name)});
                                      return relations;
                                  }};
            }};
}

std::vector<Property> rnn_properties() {
    return {law(
                "odd", "negated inputs and bias give the negated state",
                [](const Arrays& inputs, Random&) {
                    Arrays run = inputs;
                    for (const char* name : {"x", "h_prev", "b"})
                        run = with(run, name, map(by_name(run, name), minus));
                    return std::vector<Arrays>{inputs, run};
                },
                [](const Outputs& y) {
                    return Relations{
                        {"-h", "h of negated inputs", map(by_name(y[0], "h"), minus), by_name(y[1], "h")}};
                }),
            units_permute(1, {"h_prev"}, {"h"}), batches_do_not_mix({"x", "h_prev"}, "h")};
}

std::vector<Property> lstm_properties() {
    return {{"keeps_c", "with the input gate closed and the forget gate open, c is c_prev",
             [](const Arrays& inputs, Random&) {
                 return Experiment{{with_gate(with_gate(inputs, 0, kClosed), 1, kOpen)},
                                   [c = by_name(inputs, "c_prev").cast<double>()](const Outputs& y) {
                                       return Relations{{"c", "c_prev", by_name(y[0], "c"), c}};
                                   }};
             }},
            law(
                "forgets", "with the forget gate closed, c_prev changes nothing",
                [](const Arrays& inputs, Random& random) {
                    const Arrays run = with_gate(inputs, 1, kClosed);
                    return std::vector<Arrays>{
                        run, with(run, "c_prev", normal("c_prev", by_name(inputs, "c_prev").shape, random))};
                },
                [](const Outputs& y) {
                    return same(y, {"h", "c"}, "of another c_prev");
                }),
            linear_in("c_prev", "c"),
            units_permute(4, {"h_prev", "c_prev"}, {"h", "c"}),
            batches_do_not_mix({"x", "h_prev", "c_prev"}, "c")};
}

std::vector<Property> gru_properties() {
    return {{"keeps_h", "with the update gate open, h is h_prev",
             [](const Arrays& inputs, Random&) {
                 return Experiment{{with_gate(inputs, 1, kOpen)},
                                   [h = by_name(inputs, "h_prev").cast<double>()](const Outputs& y) {
                                       return Relations{{"h", "h_prev", by_name(y[0], "h"), h}};
                                   }};
             }},
            law(
                "begins_anew", "with both gates closed, h_prev changes nothing",
                [](const Arrays& inputs, Random& random) {
                    const Arrays run = with_gate(with_gate(inputs, 0, kClosed), 1, kClosed);
                    return std::vector<Arrays>{
                        run, with(run, "h_prev", normal("h_prev", by_name(inputs, "h_prev").shape, random))};
                },
                [](const Outputs& y) { return same(y, {"h"}, "of another h_prev"); }),
            units_permute(3, {"h_prev"}, {"h"}),

            batches_do_not_mix({"x", "h_prev"}, "h")};
}

/// Other numbers for the padding.
Array with_other_padding(const Arrays& inputs, Random& random) {
    Array X = by_name(inputs, "X");
    const auto x = X.view<float, 3>();
    for (int b = 0; b < x.size(0); ++b)
        for (int t = by_name(inputs, "lengths").as<std::int32_t>()[static_cast<std::size_t>(b)];
             t < x.size(1); ++t)
            for (int d = 0; d < x.size(2); ++d) x(b, t, d) = 3 * random.normal();
    return X;
}

/// All sentences as long as their rows.
Arrays without_pads(Arrays inputs) {
    for (std::int32_t& length : by_name(inputs, "lengths").as<std::int32_t>())
        length = by_name(inputs, "X").shape[1];
    return inputs;
}

Arrays in_order(Arrays inputs, int order) {
    by_name(inputs, "order") = option("order", order);
    return inputs;
}

Property later_states() {
    return asked_of(later_change_nothing("words_to_come", "words that come later change no state before them",
                                         {.array = "X", .outputs = {"H"}, .in_words = "before other words"}),
                    [](const Arrays& inputs) { return in_order(without_pads(inputs), 0); });
}

std::vector<Property> encode_properties() {
    return {
        law(
            "pads_say_nothing", "other numbers at the pads change nothing",
            [](const Arrays& inputs, Random& random) {
                return std::vector<Arrays>{inputs, with(inputs, "X", with_other_padding(inputs, random))};
            },
            [](const Outputs& y) {
                return same(y, {"H", "last"}, "with other pads", 0, true);
            }),
        {"padded_is_short", "a padded sentence gives what the sentence alone gives",
         [](const Arrays& inputs, Random&) {
             const int n = std::max(1, by_name(inputs, "lengths").as<std::int32_t>()[0]);
             Arrays alone = with(inputs, "X", leading(leading(by_name(inputs, "X"), 0, 1), 1, n));
             alone = with(alone, "lengths", leading(by_name(inputs, "lengths"), 0, 1));
             return Experiment{{inputs, alone}, [n](const Outputs& y) {
                                   return Relations{
                                       {"H of sentence 0", "H of the sentence alone",
                                        leading(leading(by_name(y[0], "H"), 0, 1), 1, n), by_name(y[1], "H")},
                                       {"last of sentence 0", "last of the sentence alone",
                                        leading(by_name(y[0], "last"), 0, 1), by_name(y[1], "last")}};
                               }};
         }},
        law(
            "reversed_is_reversed", "reading in reverse is reading the reversed sentence",
            [](const Arrays& inputs, Random&) {
                const Arrays run = without_pads(inputs);
                std::vector<int> order;
                for (int t = by_name(inputs, "X").shape[1]; t-- > 0;) order.push_back(t);
                return std::vector<Arrays>{in_order(run, 1), in_order(permuted(run, {"X"}, 1, order), 0)};
            },
            [](const Outputs& y) {
                return same(y, {"H", "last"}, "of the reversed sentence");
            }),
        later_states(),
        {"last_is_in_H", "the last layer's row of last is H at the last word; H is 0 after it",
         [](const Arrays& inputs, Random&) {
             return Experiment{{inputs}, [n = by_name(inputs, "lengths")](const Outputs& y) {
                                   const Array &H = by_name(y[0], "H"), &last = by_name(y[0], "last");
                                   const auto h = H.view<double, 3>();
                                   Array found = filled({h.size(0), h.size(2)}, 0), cut = H;
                                   for (int b = 0; b < h.size(0); ++b) {
                                       const int length = n.as<std::int32_t>()[static_cast<std::size_t>(b)];
                                       for (int t = 0; t < h.size(1); ++t)
                                           for (int d = 0; d < h.size(2); ++d) {
                                               if (t + 1 == length)
                                                   found.view<double, 2>()(b, d) = h(b, t, d);
                                               if (t >= length) cut.view<double, 3>()(b, t, d) = 0;
                                           }
                                   }
                                   const Array top = slices(last, 1, last.shape[1] - 1, 1);
                                   return Relations{{"the last layer's row of last", "H at the last word",
                                                     reshaped(top, found.shape), found},
                                                    {"H", "0 after the sentence", H, cut, true}};
                               }};
         }},
        law(
            "one_layer_has_one_direction", "with one layer, bidirectional is forward",
            [](const Arrays& inputs, Random&) {
                Arrays run = inputs;
                for (const char* name : {"W_x", "W_h", "b"})
                    run = with(run, name, leading(by_name(run, name), 0, 1));
                return std::vector<Arrays>{in_order(run, 2), in_order(run, 0)};
            },
            [](const Outputs& y) {
                return same(y, {"H", "last"}, "of order = forward");
            }),
        batches_do_not_mix({"X"}, "H")};
}

Property fewer_steps(const Names& outputs) {
    return {"steps_can_be_cut_off", "the first steps are the same, however many follow",
            [outputs](const Arrays& inputs, Random&) {
                const Array& y = by_name(inputs, "y");
                const int kept = std::max(1, (y.shape[1] - 1) / 2);
                Arrays fewer = with(inputs, "y", leading(y, 1, kept + 1));
                by_name(fewer, "L") = option("L", kept);
                return Experiment{{inputs, fewer}, [outputs, kept](const Outputs& out) {
                                      Relations relations;
                                      for (const std::string& each : outputs)
                                          relations.push_back({each, each + " of fewer steps",
                                                               leading(by_name(out[0], each), 1, kept),
                                                               by_name(out[1], each)});
                                      return relations;
                                  }};
            }};
}

std::vector<Property> plain_decoder_properties() {
    return {words_to_come({"S"}), last_word_is_not_fed({"S"}), fewer_steps({"S"}),
            batches_do_not_mix({"h_last", "y"}, "S")};
}

Arrays of_kind(Arrays inputs, int kind) {
    by_name(inputs, "kind") = option("kind", kind);
    return inputs;
}

std::vector<Property> score_properties() {
    constexpr int kDot = 0, kGeneral = 1;
    return {
        equivariant("words_permute", "permuted source words give permuted scores", {"h"}, 1, "e"),
        law(
            "identity_is_dot", "general with W = I is dot",
            [](const Arrays& inputs, Random&) {
                Array one = map(by_name(inputs, "W"), [](double) { return 0.0; });
                for (int d = 0; d < one.shape[0]; ++d) one.view<float, 2>()(d, d) = 1;
                return std::vector<Arrays>{of_kind(with(inputs, "W", one), kGeneral), of_kind(inputs, kDot)};
            },
            [](const Outputs& y) { return same(y, {"e"}, "of dot"); }),
        linear_in("s", "e"), batches_do_not_mix({"s", "h"}, "e")};
}

std::vector<Property> luong_properties() {
    const Names all = {"S", "U", "R", "A"};
    return {rows_sum_to_one("A"),
            {"words_permute", "permuted source words permute A and leave S, U and R",
             [](const Arrays& inputs, Random& random) {
                 const std::vector<int> order = random.permutation(by_name(inputs, "h").shape[1]);
                 return Experiment{
                     {inputs, permuted(inputs, {"h", "mask"}, 1, order)}, [order](const Outputs& y) {
                         Relations relations = same(y, {"S", "U", "R"}, "of permuted words");
                         relations.push_back({"permuted A", "A of permuted words",
                                              permuted(by_name(y[0], "A"), 2, order), by_name(y[1], "A")});
                         return relations;
                     }};
             }},
            law(
                "first_state_is_blind", "s_1 does not depend on the source, because c_0 is 0",
                [](const Arrays& inputs, Random& random) {
                    return std::vector<Arrays>{
                        inputs, with(inputs, "h", normal("h", by_name(inputs, "h").shape, random))};
                },
                [](const Outputs& y) { return same(y, {"S"}, "of another source", 1, true); }),
            law(
                "layers_go_up", "the second layer and the readout change neither S nor A",
                [](const Arrays& inputs, Random&) {
                    return std::vector<Arrays>{inputs, with_zeros(inputs, {"W_r", "V_x", "V_u", "u_0"})};
                },
                [](const Outputs& y) {
                    return same(y, {"S", "A"}, "of another second layer", 0, true);
                }),
            words_to_come(all),
            last_word_is_not_fed(all),
            fewer_steps(all),
            batches_do_not_mix({"h", "mask", "s_0", "u_0", "y"}, "R")};
}

Property words_permute_a(const Names& of_words) {
    return {"words_permute", "permuted source words permute a and leave c",
            [of_words](const Arrays& inputs, Random& random) {
                const std::vector<int> order = random.permutation(by_name(inputs, "h").shape[1]);
                return Experiment{
                    {inputs, permuted(inputs, of_words, 1, order)}, [order](const Outputs& y) {
                        Relations relations = same(y, {"c"}, "of permuted words");
                        relations.push_back({"permuted a", "a of permuted words",
                                             permuted(by_name(y[0], "a"), 1, order), by_name(y[1], "a")});
                        return relations;
                    }};
            }};
}

std::vector<Property> hard_properties() {
    return {law(
                "one_word", "a is 1 at one word, and 0 elsewhere",
                [](const Arrays& inputs, Random&) { return std::vector<Arrays>{inputs}; },
                [](const Outputs& y) {
                    const Array& a = by_name(y[0], "a");
                    const auto sum = [](double total, double x) { return total + x; };
                    const auto square = [](double x) { return x * x; };
                    const Array sums = folded(a, 0, sum);
                    return Relations{{"the sum of a", "1", sums, filled(sums.shape, 1)},
                                     {"a a", "a", map(a, square), a}};
                }),
            law(
                "only_the_order_counts", "other scores in the same order give the same",
                [](const Arrays& inputs, Random&) {
                    const auto cube = [](double x) { return 8 * x * x * x - 50; };
                    return std::vector<Arrays>{inputs, with(inputs, "e", map(by_name(inputs, "e"), cube))};
                },
                [](const Outputs& y) {
                    return same(y, {"a", "c"}, "of other scores");
                }),
            words_permute_a({"e", "h", "mask"}), batches_do_not_mix({"e", "h", "mask"}, "c")};
}

std::vector<Property> key_value_properties() {
    return {
        rows_sum_to_one("a"),
        words_permute_a({"h", "mask"}),
        {"same_keys_share", "with W_k = 0 all words have the same key, and the same weight",
         [](const Arrays& inputs, Random&) {
             const auto mask = by_name(inputs, "mask").view<std::uint8_t, 2>();
             Array shares = filled(by_name(inputs, "mask").shape, 0);
             for (int b = 0; b < mask.size(0); ++b) {
                 int words = 0;
                 for (int j = 0; j < mask.size(1); ++j) words += mask(b, j);
                 for (int j = 0; j < mask.size(1); ++j)
                     shares.view<double, 2>()(b, j) = mask(b, j) != 0 ? 1.0 / words : 0;
             }
             return Experiment{{with_zeros(inputs, {"W_k"})}, [shares](const Outputs& y) {
                                   return Relations{{"a", "1 / n at each word", by_name(y[0], "a"), shares}};
                               }};
         }},
        {"values_do_not_choose", "other weights of the values leave a",
         [](const Arrays& inputs, Random&) {
             return Experiment{{inputs, with_zeros(inputs, {"W_v", "b_v"})},
                               [](const Outputs& y) { return same(y, {"a"}, "of other values", 0, true); }};
         }},
        batches_do_not_mix({"s", "h", "mask"}, "c")};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {{"rnn_cell", rnn_properties()},
            {"lstm_cell", lstm_properties()},
            {"gru_cell", gru_properties()},
            {"encode", encode_properties()},
            {"decode_without_attention", plain_decoder_properties()},
            {"luong_scores", score_properties()},
            {"luong_decode", luong_properties()},
            {"hard_attention", hard_properties()},
            {"key_value_attention", key_value_properties()}};
}

}  // namespace attn::ask::seq2seq
