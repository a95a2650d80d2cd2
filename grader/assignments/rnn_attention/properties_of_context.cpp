// Assignment 1: the properties of attention weights, contexts and the decoder.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contracts/rnn_attention_reference.h"
#include "grader/ask/laws.h"
#include "grader/assignments/rnn_attention/helpers.h"

namespace attn::ask::rnn_attention {
namespace {

using Names = std::vector<std::string>;
using Order = std::vector<int>;

int length(const Arrays& arrays, const std::string& name, std::size_t axis) {
    return by_name(arrays, name).shape[axis];
}

/// The output of the second run equals that of the first, or that of the first with permuted slices.
Relation same(const std::string& output, const std::string& in_words, const Outputs& y) {
    return {output, in_words, by_name(y[0], output), by_name(y[1], output)};
}
Relation same(const std::string& output, const std::string& in_words, const Outputs& y, int axis,
              const Order& order) {
    return {"permuted " + output, in_words, permuted(by_name(y[0], output), axis, order),
            by_name(y[1], output)};
}

/// c lies between the minimum and the maximum of its feature over the words. It is 0 if there are no words.
Relation in_the_hull(const Array& c, const Array& h, const Array& mask) {
    Array nearest = c;
    const auto words = h.view<double, 3>();
    const auto m = mask.view<std::uint8_t, 2>();
    const auto n = nearest.view<double, 2>();
    for (int b = 0; b < n.size(0); ++b) {
        for (int d = 0; d < n.size(1); ++d) {
            double least = std::numeric_limits<double>::infinity(), most = -least;
            for (int j = 0; j < words.size(1); ++j) {
                if (m(b, j) == 0) continue;
                least = std::min(least, words(b, j, d));
                most = std::max(most, words(b, j, d));
            }
            n(b, d) = least <= most ? std::clamp(n(b, d), least, most) : 0;
        }
    }
    return {"c", "the nearest number that h allows", c, nearest};
}

/// The cells of a grid [B, R, C, ..] as one sentence [B, R C, ..].
Array flat(const Array& array) {
    Array result = array;
    result.shape.erase(result.shape.begin() + 2);
    result.shape[1] = array.shape[1] * array.shape[2];
    return result;
}

/// Doubles the number of words. The second half is noise, and 0 if the array is a mask.
Array with_pads(const Array& array, Random& random) {
    const int words = array.shape[1];
    Order order;
    for (int j = 0; j < 2 * words; ++j) order.push_back(j % words);
    Array longer = permuted(array, 1, order);
    const auto twice = static_cast<std::size_t>(2 * words),
               inner = longer.count() / static_cast<std::size_t>(longer.shape[0]) / twice;
    const bool is_mask = type_of(array) == ElementType::u8;
    std::size_t k = 0;
    return map(longer, [&](double value) {
        const bool pad = k++ / inner % twice >= twice / 2;
        return !pad ? value : is_mask ? 0.0 : 3 * static_cast<double>(random.normal());
    });
}

/// Weights [B, T] or [B, L, T] sum to 1 over the words of a sentence and are 0 at pads.
Property weights_share_one(const std::string& output) {
    const auto relate = [output](const Array& mask, const Array& a) {
        const auto N = static_cast<std::size_t>(mask.shape[1]);
        const std::size_t steps = a.count() / mask.count();
        const Array sums = row_sums(a);
        Array expected = filled(sums.shape, 0), nearest = a;
        for (std::size_t k = 0; k < a.count(); ++k) {
            const bool word = mask.as<std::uint8_t>()[k / (steps * N) * N + k % N] != 0;
            if (word) expected.as<double>()[k / N] = 1;
            nearest.as<double>()[k] = std::clamp(a.as<double>()[k], 0.0, word ? 1.0 : 0.0);
        }
        return Relations{{"the sum of a row of " + output, "1 (0 without words)", sums, expected},
                         {output, "the nearest number that the mask allows", a, nearest}};
    };
    return {"weights_share_one", "the weights of a sentence sum to 1 and lie in 0 .. 1; those of pads are 0",
            [relate, output](const Arrays& inputs, Random&) {
                return Experiment{{inputs}, [=, mask = by_name(inputs, "mask")](const Outputs& y) {
                                      return relate(mask, by_name(y[0], output));
                                  }};
            }};
}

/// Each number of c [B, D_h] lies between the minimum and the maximum of its feature over the words of h.
Property context_in_the_hull() {
    return {"in_the_hull_of_h", "c stays between the least and the greatest of its feature in h",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs},
                    [h = by_name(inputs, "h").cast<double>(), mask = by_name(inputs, "mask")](
                        const Outputs& y) { return Relations{in_the_hull(by_name(y[0], "c"), h, mask)}; }};
            }};
}

/// Permutes the words with their scores and their mask.
Property words_permute() {
    return {"words_permute", "permuted source words permute a and leave c",
            [](const Arrays& inputs, Random& random) {
                const Order order = random.permutation(length(inputs, "h", 1));
                return Experiment{{inputs, permuted(inputs, {"e", "h", "mask"}, 1, order)},
                                  [order](const Outputs& y) {
                                      return Relations{same("a", "a of permuted words", y, 1, order),
                                                       same("c", "c of permuted words", y)};
                                  }};
            }};
}

/// The same for decode. The last word stays in its place and is not a pad, because s_0 is computed from it.
Property words_but_the_last_permute() {
    return {"words_permute", "permuted source words, the last in its place, permute A and leave S",
            [](const Arrays& inputs, Random& random) {
                Array mask = by_name(inputs, "mask");
                const auto m = mask.view<std::uint8_t, 2>();
                const int last = m.size(1) - 1;
                for (int b = 0; b < m.size(0); ++b) m(b, last) = 1;
                const Arrays run = with(inputs, "mask", mask);
                Order order = random.permutation(last);
                order.push_back(last);
                return Experiment{{run, permuted(run, {"h", "mask"}, 1, order)}, [order](const Outputs& y) {
                                      return Relations{same("A", "A of permuted words", y, 2, order),
                                                       same("S", "S of permuted words", y)};
                                  }};
            }};
}

/// As many pads as words are appended to the sentences. They change neither the weights, whose words run
/// along `axis`, nor the output `other`. `by_word`: inputs with an axis of words.
Property pads_can_be_cut_off(const Names& by_word, const std::string& weights, int axis,
                             const std::string& other) {
    return {"pads_can_be_cut_off", "pads behind a sentence change nothing and get weight 0",
            [=](const Arrays& inputs, Random& random) {
                const int words = length(inputs, "mask", 1);
                Arrays padded = inputs;
                for (const std::string& name : by_word)
                    padded = with(std::move(padded), name, with_pads(by_name(inputs, name), random));
                Order behind(static_cast<std::size_t>(words));
                for (int j = 0; j < words; ++j) behind[static_cast<std::size_t>(j)] = words + j;
                return Experiment{
                    {inputs, padded}, [=](const Outputs& y) {
                        const Array &a = by_name(y[0], weights), &longer = by_name(y[1], weights);
                        return Relations{
                            {weights, weights + " of the words before pads", a, leading(longer, axis, words)},
                            {weights + " of pads", "0", permuted(longer, axis, behind), filled(a.shape, 0)},
                            same(other, other + " with pads behind", y)};
                    }};
            }};
}

/// Other numbers at the pads of the inputs `by_word` change none of `outputs`.
Property pads_say_nothing(const Names& by_word, const Names& outputs) {
    return {"pads_say_nothing", "other numbers at the pads change nothing",
            [=](const Arrays& inputs, Random& random) {
                const Array& mask = by_name(inputs, "mask");
                Arrays changed = inputs;
                for (const std::string& name : by_word) {
                    const Array& array = by_name(inputs, name);
                    const std::size_t inner = array.count() / mask.count();
                    std::size_t k = 0;
                    changed = with(std::move(changed), name, map(array, [&](double value) {
                                       const bool pad = mask.as<std::uint8_t>()[k++ / inner] == 0;
                                       return pad ? 3 * static_cast<double>(random.normal()) : value;
                                   }));
                }
                return Experiment{{inputs, changed}, [=](const Outputs& y) {
                                      Relations relations;
                                      for (const std::string& output : outputs)
                                          relations.push_back(same(output, output + " with other pads", y));
                                      return relations;
                                  }};
            }};
}

/// Adds the same number to all scores of a sentence, a different one for each sentence.
Property scores_shift() {
    return unchanged(
        "scores_shift", "a number added to all scores of a sentence changes nothing", "of shifted scores",
        [](const Arrays& inputs, Random& random) {
            Array e = by_name(inputs, "e");
            const auto words = static_cast<std::size_t>(e.shape[1]);
            std::vector<float> shift(static_cast<std::size_t>(e.shape[0]));
            for (float& s : shift) s = static_cast<float>(random.below(41) - 20);
            for (std::size_t k = 0; k < e.count(); ++k) e.as<float>()[k] += shift[k / words];
            return with(inputs, "e", e);
        },
        "c");
}

/// The weights of a grid sum to 1 over all cells.
Property cell_weights_share_one() {
    return {"weights_share_one", "the weights of all cells together sum to 1 and lie in 0 .. 1",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs}, [](const Outputs& y) {
                        const Array& a = by_name(y[0], "a");
                        const Array sums = row_sums(row_sums(a));
                        const Array nearest = map(a, [](double x) { return std::clamp(x, 0.0, 1.0); });
                        return Relations{{"the sum of a grid's weights", "1", sums, filled(sums.shape, 1)},
                                         {"a", "the nearest number in 0 .. 1", a, nearest}};
                    }};
            }};
}

Property grid_in_the_hull() {
    return {
        "in_the_hull_of_the_grid", "c stays between the least and the greatest of its feature in the grid",
        [](const Arrays& inputs, Random&) {
            // The shift moves the hull away from 0, so that a context that is too small lies outside.
            const Array grid = map(by_name(inputs, "grid"), [](double x) { return x + 5; });
            const Array h = flat(grid).cast<double>();
            const Array all("mask", {h.shape[0], h.shape[1]},
                            std::vector<std::uint8_t>(h.count() / static_cast<std::size_t>(h.shape[2]), 1));
            return Experiment{{with(inputs, "grid", grid)}, [h, all](const Outputs& y) {
                                  return Relations{in_the_hull(by_name(y[0], "c"), h, all)};
                              }};
        }};
}

/// A grid of R x C cells gives the same as one of 1 x R C cells.
Property grid_is_flattened() {
    return {"grid_is_flattened", "R rows of C cells are the same as one row of R C cells",
            [](const Arrays& inputs, Random&) {
                Array row = by_name(inputs, "grid");
                row.shape = {row.shape[0], 1, row.shape[1] * row.shape[2], row.shape[3]};
                return Experiment{{inputs, with(inputs, "grid", row)}, [](const Outputs& y) {
                                      return Relations{{"a", "a of the cells in one row",
                                                        flat(by_name(y[0], "a")), flat(by_name(y[1], "a"))},
                                                       same("c", "c of the cells in one row", y)};
                                  }};
            }};
}

/// Permutes the rows (axis 1) or columns (axis 2) of the grid.
Property cells_permute(const std::string& what, int axis) {
    return {what + "_permute", "permuted " + what + " of the grid permute a and leave c",
            [what, axis](const Arrays& inputs, Random& random) {
                const Order order =
                    random.permutation(length(inputs, "grid", static_cast<std::size_t>(axis)));
                return Experiment{{inputs, permuted(inputs, {"grid"}, axis, order)},
                                  [what, axis, order](const Outputs& y) {
                                      return Relations{same("a", "a of permuted " + what, y, axis, order),
                                                       same("c", "c of permuted " + what, y)};
                                  }};
            }};
}

/// A decoder that begins with s_1 and y_1 gives the steps from 2 on. It uses one sentence only, because all
/// sentences share b_0.
Property taken_up_again() {
    return {"taken_up_again", "a decoder that begins where step 1 ended goes on with step 2",
            [](const Arrays& inputs, Random&) {
                Arrays one = inputs;
                for (const char* name : {"h", "mask", "y"})
                    one = with(std::move(one), name, leading(by_name(inputs, name), 0, 1));
                const int L = by_name(one, "y").shape[1] - 1;
                const auto given = [&one](const char* name) { return by_name(one, name).cast<double>(); };
                const Array h = given("h"), y = given("y"), W_q = given("W_q"), W_k = given("W_k"),
                            v = given("v"), W_x = given("W_x"), W_s = given("W_s"), b = given("b"),
                            W_0 = given("W_0"), b_0 = given("b_0");
                Array S = filled({1, L, b.shape[0]}, 0), A = filled({1, L, h.shape[1]}, 0);
                cpu::decode<double>(S.view<double, 3>(), A.view<double, 3>(), h.view<double, 3>(),
                                    by_name(one, "mask").view<std::uint8_t, 2>(), y.view<double, 3>(),
                                    {W_q.view<double, 2>(), W_k.view<double, 2>(), v.view<double, 1>(),
                                     W_x.view<double, 2>(), W_s.view<double, 2>(), b.view<double, 1>(),
                                     W_0.view<double, 2>(), b_0.view<double, 1>()});
                const int rest = std::max(1, L - 1);
                const auto last = [](const Array& array, int count) {
                    std::vector<int> order;
                    for (int t = array.shape[1] - count; t < array.shape[1]; ++t) order.push_back(t);
                    return permuted(array, 1, order);
                };
                Arrays again = with(one, "y", last(by_name(one, "y"), rest + 1));
                Array& start = by_name(again, "b_0");
                for (std::size_t d = 0; L > 1 && d < start.count(); ++d)
                    start.as<float>()[d] = static_cast<float>(std::atanh(S.as<double>()[d]));
                if (L > 1) by_name(again, "W_0") = map(by_name(again, "W_0"), [](double) { return 0.0; });
                by_name(again, "L") = option("L", rest);
                return Experiment{
                    {one, again}, [last, rest](const Outputs& out) {
                        Relations relations;
                        for (const char* each : {"S", "A"})
                            relations.push_back({std::string(each) + " from step 2 on",
                                                 std::string(each) + " begun with s_1",
                                                 last(by_name(out[0], each), rest), by_name(out[1], each)});
                        return relations;
                    }};
            }};
}

/// A decoder with fewer steps gives the first steps of a longer one.
Property steps_can_be_cut_off() {
    return {"steps_can_be_cut_off", "the first steps are the same, however many follow",
            [](const Arrays& inputs, Random&) {
                const Array& y = by_name(inputs, "y");
                const int kept = std::max(1, (y.shape[1] - 1) / 2);
                Arrays fewer = with(inputs, "y", leading(y, 1, kept + 1));
                by_name(fewer, "L") = option("L", kept);
                return Experiment{{inputs, fewer}, [kept](const Outputs& out) {
                                      Relations relations;
                                      for (const char* each : {"S", "A"})
                                          relations.push_back({each, std::string(each) + " of fewer steps",
                                                               leading(by_name(out[0], each), 1, kept),
                                                               by_name(out[1], each)});
                                      return relations;
                                  }};
            }};
}

}  // namespace

std::vector<Property> attention_context_properties() {
    return {weights_share_one("a"),
            context_in_the_hull(),
            words_permute(),
            pads_can_be_cut_off({"e", "h", "mask"}, "a", 1, "c"),
            pads_say_nothing({"e", "h"}, {"a", "c"}),
            scores_shift(),
            linear_in("h", "c"),
            batches_do_not_mix({"e", "h", "mask"}, "c")};
}

std::vector<Property> decode_properties() {
    return {weights_share_one("A"),
            words_but_the_last_permute(),
            pads_can_be_cut_off({"h", "mask"}, "A", 2, "S"),
            pads_say_nothing({"h"}, {"S", "A"}),
            words_to_come({"S", "A"}),
            last_word_is_not_fed({"S", "A"}),
            steps_can_be_cut_off(),
            taken_up_again(),
            batches_do_not_mix({"h", "mask", "y"}, "S")};
}

std::vector<Property> grid_attention_properties() {
    return {cell_weights_share_one(),
            grid_in_the_hull(),
            grid_is_flattened(),
            cells_permute("rows", 1),
            cells_permute("columns", 2),
            equivariant("batches_permute", "batches in another order give the same in that order",
                        {"s_prev", "grid"}, 0, "a"),
            batches_do_not_mix({"s_prev", "grid"}, "c")};
}

}  // namespace attn::ask::rnn_attention
