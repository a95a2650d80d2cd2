// Assignment 19: the properties. They compare whole configurations, and say nothing of single formulas.

#include <string>
#include <utility>
#include <vector>

#include "grader/ask/laws.h"

namespace attn::ask::sizes {
namespace {

/// The numbers that the rows of counts [rows, 2] stand for, exact in double.      [rows]
Array numbers_of(const Arrays& outputs) {
    const Array& counts = by_name(outputs, "counts");
    Array numbers = filled({counts.shape[0]}, 0);
    const auto to = numbers.view<double, 1>();
    for (int r = 0; r < to.size(0); ++r) {
        const auto at = static_cast<std::size_t>(2 * r);
        to(r) = 1e6 * number_at(counts, at) + number_at(counts, at + 1);
    }
    return numbers;
}

/// The rows of numbers [rows] that `factors` names, each times its factor.
Array times(const Array& numbers, const std::vector<double>& factors) {
    Array product = numbers;
    for (std::size_t r = 0; r < factors.size(); ++r) product.as<double>()[r] *= factors[r];
    return product;
}

Property last_row_is_the_sum() {
    return {"last_row_is_the_sum", "the last row is the sum of the others, and what remains is 0 .. 999999",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs}, [](const Outputs& y) {
                        const Array numbers = numbers_of(y[0]);
                        const int last = numbers.shape[0] - 1;
                        Array sum = filled({1}, 0);
                        for (int r = 0; r < last; ++r)
                            sum.as<double>()[0] += numbers.as<double>()[static_cast<std::size_t>(r)];
                        const Array rest = slices(by_name(y[0], "counts"), 1, 1, 1).cast<double>();
                        const Array inside = map(rest, [](double x) {
                            return x < 0 ? 0 : x > 999999 ? 999999 : x;
                        });
                        return Relations{
                            {"the last row", "the sum of the others", slices(numbers, 0, last, 1), sum, true},
                            {"what remains", "the nearest number of 0 .. 999999", rest, inside, true}};
                    }};
            }};
}

/// f(3 x) - 2 f(2 x) + f(x) = 0 for each row, if x is this letter: each one more adds as much.
Property each_adds_the_same(const std::string& name, const std::string& letter,
                            const std::string& statement) {
    return {name, statement, [letter](const Arrays& inputs, Random&) {
                const double x = option_of(inputs, letter);
                const auto run = [&](double factor) { return with_option(inputs, letter, factor * x); };
                return Experiment{
                    {run(1), run(2), run(3)}, [letter](const Outputs& y) {
                        return Relations{{"the number with 3 " + letter,
                                          "that with 2 " + letter + " and once more what it added",
                                          numbers_of(y[2]),
                                          combined(2, numbers_of(y[1]), -1, numbers_of(y[0])), true}};
                    }};
            }};
}

/// Twice the letter: the rows times `factors`.
Property doubled(const std::string& name, const std::string& letter, const std::string& statement,
                 const std::vector<double>& factors) {
    return {name, statement, [letter, factors](const Arrays& inputs, Random&) {
                const Arrays twice = with_option(inputs, letter, 2 * option_of(inputs, letter));
                return Experiment{
                    {inputs, twice}, [letter, factors](const Outputs& y) {
                        const int rows = static_cast<int>(factors.size());
                        return Relations{{"the number with 2 " + letter,
                                          "that with " + letter + ", times its factor",
                                          leading(numbers_of(y[1]), 0, rows),
                                          times(leading(numbers_of(y[0]), 0, rows), factors), true}};
                    }};
            }};
}

/// With one head or with H: the rows from `first` on are the same.
Property heads_change_nothing(int first = 0) {
    return {"heads_change_nothing", "one head costs as much as H heads",
            [first](const Arrays& inputs, Random&) {
                return Experiment{{inputs, with_option(inputs, "H", 1)}, [first](const Outputs& y) {
                                      return Relations{{"the number with H heads", "that with one head",
                                                        slices_from(numbers_of(y[0]), 0, first),
                                                        slices_from(numbers_of(y[1]), 0, first), true}};
                                  }};
            }};
}

/// f(4 D) - 3 f(3 D) + 3 f(2 D) - f(D) = 0 for sums of products of D and D D, and for nothing that is larger.
Property quadratic_in_D() {
    return {"quadratic_in_D", "the numbers of D, 2 D, 3 D and 4 D lie on a parabola",
            [](const Arrays& inputs, Random&) {
                const double D = option_of(inputs, "D");
                std::vector<Arrays> runs;
                for (const double factor : {1, 2, 3, 4}) runs.push_back(with_option(inputs, "D", factor * D));
                return Experiment{
                    runs, [](const Outputs& y) {
                        return Relations{{"the number with 4 D",
                                          "that of the parabola through D, 2 D and 3 D", numbers_of(y[3]),
                                          combined(3, combined(1, numbers_of(y[2]), -1, numbers_of(y[1])), 1,
                                                   numbers_of(y[0])),
                                          true}};
                    }};
            }};
}

/// An option's two values: row `row` of the first is more by `difference`, and the others differ as `rest` says.
Property differs_by(const std::string& name, const std::string& option_name, const std::string& statement,
                    const std::function<std::vector<double>(const Arrays& inputs)>& difference) {
    return {name, statement, [option_name, difference](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_option(inputs, option_name, 1), with_option(inputs, option_name, 0)},
                    [option_name, wanted = difference(inputs)](const Outputs& y) {
                        Array more = filled({static_cast<int>(wanted.size())}, 0);
                        std::copy(wanted.begin(), wanted.end(), more.as<double>().begin());
                        return Relations{{"the number with " + option_name + " = false",
                                          "what follows from the one with " + option_name + " = true",
                                          numbers_of(y[1]), combined(1, numbers_of(y[0]), 1, more), true}};
                    }};
            }};
}

Property tables_shared() {
    return differs_by("tables_shared", "tied", "three tables instead of one are 2 V D more",
                      [](const Arrays& inputs) {
                          const double table = option_of(inputs, "V") * option_of(inputs, "D");
                          return std::vector<double>{table, 0, 0, 0, table, 2 * table};
                      });
}

Property pooler_is_a_layer() {
    return differs_by("pooler_is_a_layer", "pooler", "without the pooler D D + D are missing, all in row 4",
                      [](const Arrays& inputs) {
                          const double D = option_of(inputs, "D"), layer = D * D + D;
                          return std::vector<double>{0, 0, 0, 0, -layer, -layer};
                      });
}

/// An image of twice the side has four times as many patches, and each patch has a position.
Property more_positions() {
    return {"more_positions", "an image of twice the side needs more positions, and nothing else",
            [](const Arrays& inputs, Random&) {
                const double R = option_of(inputs, "R"), P = option_of(inputs, "P");
                Array more = filled({6}, 0);
                more.as<double>()[0] = more.as<double>()[5] = 3 * (R / P) * (R / P) * option_of(inputs, "D");
                return Experiment{
                    {inputs, with_option(inputs, "R", 2 * R)}, [more](const Outputs& y) {
                        return Relations{{"the number of the larger image",
                                          "that of the smaller one with more positions", numbers_of(y[1]),
                                          combined(1, numbers_of(y[0]), 1, more), true}};
                    }};
            }};
}

/// 2 + 2 + 12 = 4 + 4 + 8
Property mixed_costs_as_much() {
    return {
        "mixed_costs_as_much",
        "weights, gradients and Adam's numbers take 16 bytes for a parameter, mixed or not; activations half",
        [](const Arrays& inputs, Random&) {
            return Experiment{
                {with_option(inputs, "mixed", 0), with_option(inputs, "mixed", 1)}, [](const Outputs& y) {
                    const auto sums = [&y](std::size_t run) {
                        const Array numbers = numbers_of(y[run]);
                        Array three = filled({3}, 0);
                        for (std::size_t r = 0; r < 5; ++r)
                            three.as<double>()[r < 3 ? 0 : r - 2] += numbers.as<double>()[r];
                        return three;
                    };
                    return Relations{{"the sum of rows 0 to 2 (0), row 3 (1) or row 4 (2), not mixed",
                                      "what follows from it, mixed", sums(0), times(sums(1), {1, 2, 2}),
                                      true}};
                }};
        }};
}

/// Each head has weights of its own, and rows of its own.
Property heads_multiply_the_weights() {
    return {"heads_multiply_the_weights",
            "H heads have H times the weights of one, and the same Q, K, V and cache",
            [](const Arrays& inputs, Random&) {
                const double H = option_of(inputs, "H");
                return Experiment{
                    {inputs, with_option(inputs, "H", 1)}, [H](const Outputs& y) {
                        return Relations{{"the number with H heads", "that with one, times its factor",
                                          numbers_of(y[0]), times(numbers_of(y[1]), {H, 1, 1, H}), true}};
                    }};
            }};
}

std::vector<Property> of_a_model(std::vector<Property> more) {
    std::vector<Property> all = {
        last_row_is_the_sum(),
        each_adds_the_same("blocks_are_alike", "L",
                           "every block has as many parameters as the one before it"),
        quadratic_in_D(), heads_change_nothing()};
    for (Property& property : more) all.push_back(std::move(property));
    return all;
}

Property tokens_are_rows() {
    return each_adds_the_same("tokens_are_rows", "V", "each further token adds the same number");
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"transformer_parameters", of_a_model({tokens_are_rows(), tables_shared()})},
        {"bert_parameters", of_a_model({tokens_are_rows(), pooler_is_a_layer()})},
        {"xlnet_parameters", of_a_model({tokens_are_rows()})},
        {"gpt2_parameters", of_a_model({tokens_are_rows()})},
        {"vit_parameters", of_a_model({more_positions()})},
        {"attention_memory",
         {doubled("quadratic_in_N", "N", "twice the places: four times A, and twice the rest", {4, 2, 2, 2}),
          doubled("batch_multiplies", "B", "twice the sequences take twice the memory", {2, 2, 2, 2}),
          doubled("bytes_multiply", "bytes", "numbers of twice the bytes take twice the memory",
                  {2, 2, 2, 2}),
          heads_multiply_the_weights()}},
        {"training_memory",
         {last_row_is_the_sum(),
          doubled("batch_multiplies", "B",
                  "twice the sequences: twice the activations and logits, as many weights", {1, 1, 1, 2, 2}),
          mixed_costs_as_much()}},
        {"forward_flop",
         {last_row_is_the_sum(),
          doubled("quadratic_in_N", "N", "twice the places: four times the scores, and twice the rest",
                  {2, 4, 2, 2}),
          doubled("batch_multiplies", "B", "twice the sequences take twice the operations", {2, 2, 2, 2, 2}),
          heads_change_nothing()}},
    };
}

}  // namespace attn::ask::sizes
