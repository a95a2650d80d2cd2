// Assignment 8: the properties.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "grader/ask/inner_calls.h"
#include "grader/ask/laws.h"
#include "grader/assignments/image_captioning/helpers.h"

namespace attn::ask::image_captioning {
namespace {

using Names = std::vector<std::string>;

/// Two calls, and outputs that both give, in their first `kept` slices along axis 1 (0: in all).
Property two_calls(std::string name, std::string statement, const std::string& in_words, Names outputs,
                   std::function<std::pair<Arrays, Arrays>(const Arrays&, Random&)> calls, int kept = 0,
                   bool exact = false) {
    return {
        std::move(name), std::move(statement),
        [=, outputs = std::move(outputs), calls = std::move(calls)](const Arrays& inputs, Random& random) {
            auto [first, second] = calls(inputs, random);
            return Experiment{{std::move(first), std::move(second)}, [=](const Outputs& y) {
                                  Relations all;
                                  for (const std::string& each : outputs) {
                                      const auto part = [&](std::size_t run) {
                                          const Array& whole = by_name(y[run], each);
                                          return kept > 0 ? leading(whole, 1, kept) : whole;
                                      };
                                      all.push_back({each, each + " " + in_words, part(0), part(1), exact});
                                  }
                                  return all;
                              }};
        }};
}

/// [B, R, C, D] or [B, R, C]: result cell n is cell order[n].
Array cells_in_order(Array grid, const std::vector<int>& order) {
    const Shape shape = grid.shape;
    Shape flat = shape;
    flat[1] *= flat[2];
    flat.erase(flat.begin() + 2);
    return reshaped(permuted(reshaped(std::move(grid), flat), 1, order), shape);
}

/// `kept` are the same; `moved` [B, R, C] or [B, L, R, C] come in the new order.
Property cells_permute(const Names& kept, const std::string& moved = "") {
    return {"cells_permute",
            "cells in another order give " +
                (moved.empty() ? "the same" : moved + " in this order, and the same words"),
            [=](const Arrays& inputs, Random& random) {
                const Array& grid = by_name(inputs, "grid");
                const auto order = random.permutation(grid.shape[1] * grid.shape[2]);
                return Experiment{
                    {inputs, with(inputs, "grid", cells_in_order(grid, order))}, [=](const Outputs& y) {
                        Relations all;
                        for (const std::string& each : kept)
                            all.push_back({each, each + " of cells in another order", by_name(y[0], each),
                                           by_name(y[1], each)});
                        if (moved.empty()) return all;
                        Array before = by_name(y[0], moved), after = by_name(y[1], moved);
                        for (Array* maps : {&before, &after}) {
                            const auto rank = static_cast<int>(maps->shape.size());
                            *maps = reshaped(
                                *maps, {static_cast<int>(maps->count()) / static_cast<int>(order.size()),
                                        maps->shape[static_cast<std::size_t>(rank - 2)],
                                        maps->shape[static_cast<std::size_t>(rank - 1)]});
                        }
                        all.push_back({moved + " in this order", moved + " of cells in this order",
                                       cells_in_order(before, order), after});
                        return all;
                    }};
            }};
}

/// The mean over the cells, in all of them.
Array mean_everywhere(const Array& grid) {
    Array mean = grid;
    const auto from = grid.view<float, 4>();
    const auto to = mean.view<float, 4>();
    const int R = from.size(1), C = from.size(2);
    for (int b = 0; b < from.size(0); ++b)
        for (int d = 0; d < from.size(3); ++d) {
            double sum = 0;
            for (int n = 0; n < R * C; ++n) sum += static_cast<double>(from(b, n / C, n % C, d));
            for (int n = 0; n < R * C; ++n) to(b, n / C, n % C, d) = static_cast<float>(sum / (R * C));
        }
    return mean;
}

std::vector<Property> state_properties() {
    return {cells_permute({"s_0"}),
            two_calls("only_the_mean_counts", "a grid with its mean in every cell gives the same",
                      "of the mean", {"s_0"},
                      [](const Arrays& inputs, Random&) {
                          return std::pair(inputs,
                                           with(inputs, "grid", mean_everywhere(by_name(inputs, "grid"))));
                      }),
            {"odd", "without b_0, the negated grid gives the negated state",
             [](const Arrays& inputs, Random&) {
                 const Arrays run = with_zeros(inputs, {"b_0"});
                 return Experiment{
                     {run, with(run, "grid", scaled(by_name(run, "grid"), -1))}, [](const Outputs& y) {
                         return Relations{{"-s_0", "s_0 of -grid", scaled(by_name(y[0], "s_0"), -1),
                                           by_name(y[1], "s_0")}};
                     }};
             }},
            batches_do_not_mix({"grid"}, "s_0")};
}

/// Tokens under other numbers: word v becomes numbers[v]. START and EOS are options, which move along.
Arrays renumbered(Arrays inputs, const std::vector<int>& numbers) {
    std::vector<int> order(numbers.size());
    for (std::size_t v = 0; v < numbers.size(); ++v)
        order[static_cast<std::size_t>(numbers[v])] = static_cast<int>(v);
    inputs = permuted(permuted(permuted(std::move(inputs), {"table"}, 0, order), {"W_o"}, 1, order), {"b_o"},
                      0, order);
    for (Array& array : inputs) {
        const auto moved = [&](double v) { return numbers[static_cast<std::size_t>(v)]; };
        if (array.name == "y" || array.name == "y_prev" || array.name == "start" || array.name == "eos")
            array = map(array, moved);
    }
    return inputs;
}

/// `moved` has a number for each word along its last axis; `words` holds words; `kept` stays.
Property words_have_no_order(const Names& kept, const std::string& moved = "",
                             const std::string& words = "") {
    return {"words_have_no_order", "words under other numbers are other numbers for the same words",
            [=](const Arrays& inputs, Random& random) {
                const auto numbers = random.permutation(by_name(inputs, "b_o").shape[0]);
                return Experiment{
                    {inputs, renumbered(inputs, numbers)}, [=](const Outputs& y) {
                        Relations all;
                        for (const std::string& each : kept)
                            all.push_back({each, each + " under other numbers", by_name(y[0], each),
                                           by_name(y[1], each)});
                        if (!moved.empty())
                            all.push_back(
                                {moved, moved + " under other numbers", by_name(y[0], moved),
                                 permuted(by_name(y[1], moved),
                                          static_cast<int>(by_name(y[1], moved).shape.size()) - 1, numbers)});
                        if (!words.empty())
                            all.push_back({words + " under other numbers",
                                           words + " of words under other numbers",
                                           map(by_name(y[0], words),
                                               [&](double v) {
                                                   const int last = static_cast<int>(numbers.size()) - 1;
                                                   return numbers[static_cast<std::size_t>(
                                                       std::clamp(static_cast<int>(v), 0, last))];
                                               }),
                                           by_name(y[1], words)});
                        return all;
                    }};
            }};
}

/// Other words from each step on, or (`last_only`) another last one. `beyond`: how many slices from the step on do not see
/// its word.
Property later_words(const std::string& name, const std::string& statement, const std::string& output,
                     bool last_only, int beyond) {
    const auto change = [](const Arrays& inputs, int from, Random& random) {
        const int V = by_name(inputs, "b_o").shape[0];
        Array other = by_name(inputs, "y");
        const auto tokens = other.view<int, 2>();
        for (int b = 0; b < tokens.size(0); ++b)
            for (int t = from; t < tokens.size(1); ++t)
                tokens(b, t) = (tokens(b, t) + 1 + random.below(V - 1)) % V;
        return with(inputs, "y", other);
    };
    return later_change_nothing(name, statement,
                                {.array = "y",
                                 .outputs = {output},
                                 .in_words = "before other words",
                                 .last_only = last_only,
                                 .change = change,
                                 .unseen = [beyond](const Arrays&, int from) { return from + beyond; }});
}

std::vector<Property> step_properties() {
    return {{"weights_share_one", "the weights of all cells together sum to 1 and lie in 0 .. 1",
             [](const Arrays& inputs, Random&) {
                 return Experiment{{inputs}, [](const Outputs& y) {
                                       const Array& a = by_name(y[0], "a");
                                       const Array sums = row_sums(row_sums(a));
                                       return Relations{
                                           {"the sum of a", "1", sums, filled(sums.shape, 1)},
                                           {"a", "the nearest number in 0 .. 1", a,
                                            map(a, [](double x) { return std::clamp(x, 0.0, 1.0); })}};
                                   }};
             }},
            cells_permute({"s", "logits"}, "a"),
            two_calls(
                "looks_before_it_reads", "another word before it changes nothing of where the step looks",
                "after another word", {"a"},
                [](const Arrays& inputs, Random&) {
                    const int V = by_name(inputs, "b_o").shape[0];
                    return std::pair(inputs,
                                     with(inputs, "y_prev", map(by_name(inputs, "y_prev"), [V](double v) {
                                              return static_cast<int>(v + 1) % V;
                                          })));
                },
                0, true),
            linear_in("W_o", "logits"),
            words_have_no_order({"s", "a"}, "logits"),
            batches_do_not_mix({"s_prev", "grid"}, "logits")};
}

/// 1 where a word counts, [B, L].
Array counted(const Arrays& inputs) {
    Array marks = by_name(inputs, "y").cast<double>();
    const int eos = static_cast<int>(option_of(inputs, "eos")), L = marks.shape[1];
    bool ended = false;
    for (std::size_t k = 0; k < marks.count(); ++k) {
        if (k % static_cast<std::size_t>(L) == 0) ended = false;
        const bool ends = static_cast<int>(number_at(by_name(inputs, "y"), k)) == eos;
        marks.as<double>()[k] = ended ? 0 : 1;
        ended = ended || ends;
    }
    return marks;
}

double sum_of(const Array& array) {
    double sum = 0;
    for (std::size_t k = 0; k < array.count(); ++k) sum += number_at(array, k);
    return sum;
}

std::vector<Property> loss_properties() {
    return {
        {"loss_is_the_mean", "loss is the mean of losses over the words that count, and the others are 0",
         [](const Arrays& inputs, Random&) {
             return Experiment{{inputs}, [marks = counted(inputs)](const Outputs& y) {
                                   const Array& losses = by_name(y[0], "losses");
                                   Array kept = losses;
                                   for (std::size_t k = 0; k < kept.count(); ++k)
                                       kept.as<double>()[k] *= number_at(marks, k);
                                   return Relations{
                                       {"loss", "the mean of losses", by_name(y[0], "loss"),
                                        filled({1}, sum_of(losses) / sum_of(marks))},
                                       {"losses", "losses of words that count", losses, kept, true}};
                               }};
         }},
        two_calls(
            "padding_says_nothing", "other words after the first eos change nothing", "with other padding",
            {"loss", "losses"},
            [](const Arrays& inputs, Random& random) {
                const Array marks = counted(inputs);
                const int V = by_name(inputs, "b_o").shape[0];
                Array y = by_name(inputs, "y");
                for (std::size_t k = 0; k < y.count(); ++k)
                    if (number_at(marks, k) == 0) y.as<std::int32_t>()[k] = random.below(V);
                return std::pair(inputs, with(inputs, "y", y));
            },
            0, true),
        {"undecided", "with W_o = 0 and b_o = 0 every word costs ln V",
         [](const Arrays& inputs, Random&) {
             const double each = std::log(by_name(inputs, "b_o").shape[0]);
             return Experiment{{with_zeros(inputs, {"W_o", "b_o"})},
                               [expected = scaled(counted(inputs), each)](const Outputs& y) {
                                   return Relations{{"losses", "ln V", by_name(y[0], "losses"), expected}};
                               }};
         }},
        two_calls("logits_shift", "3 more on all logits changes nothing", "of other logits", {"losses"},
                  [](const Arrays& inputs, Random&) {
                      return std::pair(inputs, with(inputs, "b_o", scaled(by_name(inputs, "b_o"), 1, 3)));
                  }),
        later_words("words_to_come", "words that come later change no loss before them", "losses", false, 0),
        words_have_no_order({"loss", "losses"}),
        cells_permute({"losses"}),
        batches_do_not_mix({"grid"}, "losses")};
}

std::vector<Property> greedy_properties() {
    return {
        {"weights_share_one", "the weights of a word sum to 1 over all cells; after the first eos they are 0",
         [](const Arrays& inputs, Random&) {
             return Experiment{{inputs}, [inputs](const Outputs& y) {
                                   const Array sums = row_sums(row_sums(by_name(y[0], "A")));
                                   return Relations{{"the sum of A of a word", "the wanted sum", sums,
                                                     counted(in_place_of(inputs, by_name(y[0], "y")))}};
                               }};
         }},
        {"nothing_after_eos", "after the first eos all words are eos",
         [](const Arrays& inputs, Random&) {
             return Experiment{{inputs}, [inputs](const Outputs& y) {
                                   const Array said = by_name(y[0], "y").cast<double>();
                                   const Array marks = counted(in_place_of(inputs, said));
                                   Array wanted = said;
                                   for (std::size_t k = 0; k < said.count(); ++k)
                                       if (number_at(marks, k) == 0)
                                           wanted.as<double>()[k] = option_of(inputs, "eos");
                                   return Relations{{"y", "eos after the first eos", said, wanted, true}};
                               }};
         }},
        {"fewer_steps", "the first words are the same, however many follow",
         [](const Arrays& inputs, Random&) {
             const int kept = std::max(1, static_cast<int>(option_of(inputs, "L")) / 2);
             return Experiment{
                 {inputs, with_option(inputs, "L", kept)}, [kept](const Outputs& y) {
                     Relations all;
                     for (const char* name : {"y", "A"})
                         all.push_back({name, std::string(name) + " of fewer steps",
                                        leading(by_name(y[0], name), 1, kept), by_name(y[1], name)});
                     return all;
                 }};
         }},
        two_calls("only_the_order_of_logits_counts", "three times the logits give the same words and maps",
                  "of three times the logits", {"y", "A"},
                  [](const Arrays& inputs, Random&) {
                      Arrays run = inputs;
                      for (const char* name : {"W_o", "b_o"})
                          run = with(run, name, scaled(by_name(run, name), 3));
                      return std::pair(inputs, run);
                  }),
        words_have_no_order({"A"}, "", "y"),
        cells_permute({"y"}, "A"),
        batches_do_not_mix({"grid"}, "A")};
}

std::vector<Property> tell_properties() {
    return {
        cells_permute({"logits"}),
        two_calls(
            "image_once", "with W_s = 0 no step knows the image", "of another image", {"logits"},
            [](const Arrays& inputs, Random& random) {
                const Arrays run = with_zeros(inputs, {"W_s"});
                return std::pair(run, with(run, "grid", normal("grid", by_name(run, "grid").shape, random)));
            },
            0, true),
        later_words("words_to_come", "words that come later change no step before them", "logits", false, 1),
        later_words("last_word_is_not_read", "the last word changes nothing", "logits", true, 1),
        linear_in("W_o", "logits"),
        words_have_no_order({}, "logits"),
        batches_do_not_mix({"grid"}, "logits")};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {{"conv2d", convolution_properties()}, {"feature_grid", grid_properties()},
            {"first_state", state_properties()},  {"caption_step", step_properties()},
            {"caption_loss", loss_properties()},  {"caption_greedy", greedy_properties()},
            {"show_and_tell", tell_properties()}};
}

}  // namespace attn::ask::image_captioning
