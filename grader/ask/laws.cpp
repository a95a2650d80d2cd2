#include "grader/ask/laws.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "grader/ask/inner_calls.h"

namespace attn::ask {
namespace {

/// Slice k of `zero` if this bit of k is 0, else of `one`.
Array slices_by_bit(const Array& zero, const Array& one, int axis, int bit) {
    const auto at = static_cast<std::size_t>(axis), count = static_cast<std::size_t>(zero.shape[at]);
    const std::size_t inner = element_count(Shape(zero.shape.begin() + axis + 1, zero.shape.end()));
    Array mixed = zero;
    std::visit(
        [&](auto& values) {
            const auto& others = std::get<std::decay_t<decltype(values)>>(one.values);
            for (std::size_t k = 0; k < values.size(); ++k)
                if ((k / inner % count >> bit & 1U) != 0) values[k] = others[k];
        },
        mixed.values);
    return mixed;
}

std::vector<Along> along_first_axis(const std::vector<std::string>& names) {
    std::vector<Along> all;
    for (const std::string& name : names) all.push_back({name, 0});
    return all;
}

}  // namespace

Array filled(const Shape& shape, double value) {
    return map(Array::zeros<double>("", shape), [value](double) { return value; });
}

Array leading(const Array& array, int axis, int count) {
    return slices(array, axis, 0, count);
}

Array slices(const Array& array, int axis, int first, int count) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), first);
    return permuted(array, axis, order);
}

Array slices_from(const Array& array, int axis, int first) {
    return slices(array, axis, first, array.shape[static_cast<std::size_t>(axis)] - first);
}

Array in_reverse(const Array& array, int axis) {
    std::vector<int> order(static_cast<std::size_t>(array.shape[static_cast<std::size_t>(axis)]));
    std::iota(order.rbegin(), order.rend(), 0);
    return permuted(array, axis, order);
}

Array turned(const Array& array, std::size_t axis) {
    const int rows = array.shape[axis], columns = array.shape[axis + 1];
    Shape flat = array.shape, shape = array.shape;
    flat[axis] *= columns;
    flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    std::swap(shape[axis], shape[axis + 1]);
    std::vector<int> order;
    for (int n = 0; n < rows * columns; ++n) order.push_back(n % rows * columns + n / rows);
    return reshaped(permuted(reshaped(array, flat), static_cast<int>(axis), order), shape);
}

Property asked_of(Property property, std::function<Arrays(const Arrays&)> change) {
    property.design = [design = std::move(property.design), change = std::move(change)](
                          const Arrays& inputs, Random& random) { return design(change(inputs), random); };
    return property;
}

Property with_option(Property property, const std::string& name, double value) {
    return asked_of(std::move(property),
                    [name, value](const Arrays& inputs) { return with_option(inputs, name, value); });
}

Arrays shift_rows(const Arrays& inputs, double step, Random& random) {
    Array X = by_name(inputs, "X");
    change_rows(X, [&](std::span<float> row, std::size_t) {
        const auto shift = static_cast<float>(step * (random.below(41) - 20));
        for (float& x : row) x += shift;
    });
    return with(inputs, "X", X);
}

Property shift_invariant(std::string statement, double step) {
    return unchanged(
        "shift_invariant", std::move(statement), "of rows shifted by a constant each",
        [step](const Arrays& inputs, Random& random) { return shift_rows(inputs, step, random); });
}

Property of_output(std::string name, std::string statement, std::string output,
                   std::function<Relations(const Array& output, const Arrays& inputs)> relate) {
    return {std::move(name), std::move(statement),
            [output = std::move(output), relate = std::move(relate)](const Arrays& inputs, Random&) {
                return Experiment{{inputs}, [output, relate, inputs](const Outputs& y) {
                                      return relate(by_name(y[0], output), inputs);
                                  }};
            }};
}

Property rows_sum_to_one(const std::string& output) {
    return {"rows_sum_to_one", "every row of " + output + " sums to 1 and its numbers lie in 0 .. 1",
            [output](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs}, [output](const Outputs& y) {
                        const Array& weights = by_name(y[0], output);
                        const Array sums = row_sums(weights);
                        const Array nearest = map(weights, [](double a) { return std::clamp(a, 0.0, 1.0); });
                        return Relations{{"the sum of a row of " + output, "1", sums, filled(sums.shape, 1)},
                                         {output, "the nearest number in 0 .. 1", weights, nearest}};
                    }};
            }};
}

Property unchanged(std::string name, std::string statement, std::string changed_name,
                   std::function<Arrays(const Arrays&, Random&)> change, const std::string& output) {
    return {std::move(name), std::move(statement),
            [changed_name = std::move(changed_name), change = std::move(change), output](const Arrays& inputs,
                                                                                         Random& random) {
                return Experiment{
                    {inputs, change(inputs, random)},
                    [name = output + " " + changed_name, output](const Outputs& y) {
                        return Relations{{output, name, by_name(y[0], output), by_name(y[1], output)}};
                    }};
            }};
}

Property equivariant(std::string name, std::string statement, std::vector<std::string> inputs, int axis,
                     const std::string& output) {
    return {std::move(name), std::move(statement),
            [names = std::move(inputs), axis, output](const Arrays& given, Random& random) {
                const auto order =
                    random.permutation(by_name(given, names.front()).shape[static_cast<std::size_t>(axis)]);
                return Experiment{
                    {given, permuted(given, names, axis, order)}, [order, axis, output](const Outputs& y) {
                        return Relations{{"P f(X)", "f(P X)", permuted(by_name(y[0], output), axis, order),
                                          by_name(y[1], output)}};
                    }};
            }};
}

std::vector<Arrays> one_by_one(const Arrays& inputs, const std::vector<std::string>& names) {
    std::vector<Arrays> runs;
    for (int k = 0; k < by_name(inputs, names.front()).shape[0]; ++k) {
        Arrays alone = inputs;
        for (const std::string& name : names)
            if (has(inputs, name))
                alone = with(std::move(alone), name, slices(by_name(inputs, name), 0, k, 1));
        runs.push_back(std::move(alone));
    }
    return runs;
}

Array joined(const Outputs& runs, std::size_t first, const std::string& output) {
    Array all = by_name(runs.at(first), output);
    for (std::size_t run = first + 1; run < runs.size(); ++run) {
        const Array& next = by_name(runs[run], output);
        all.shape[0] += next.shape[0];
        std::visit(
            [&](auto& values) {
                const auto& more = std::get<std::decay_t<decltype(values)>>(next.values);
                values.insert(values.end(), more.begin(), more.end());
            },
            all.values);
    }
    return all;
}

Arrays with_other_numbers(Arrays inputs, const std::vector<std::string>& names, Random& random) {
    for (const std::string& name : names) {
        if (!has(inputs, name)) continue;
        Array& array = by_name(inputs, name);
        if (type_of(array) == ElementType::u8)
            for (std::uint8_t& allowed : array.as<std::uint8_t>()) allowed = allowed == 0;
        else
            array = normal(name, array.shape, random);
    }
    return inputs;
}

Property slices_do_not_mix(std::string name, std::string statement, const std::string& slice,
                           std::vector<Along> inputs, const Along& output,
                           std::function<Arrays(const Arrays&, Random&)> other, bool exact) {
    return {std::move(name), std::move(statement),
            [inputs = std::move(inputs), other = std::move(other), left = output.array + " of a " + slice,
             right = output.array + " of the same " + slice + " beside others", output,
             exact](const Arrays& given, Random& random) {
                // In run k + 2 a slice is one of run 0 or 1, as bit k of its number says. Two slices differ in a
                // bit, so that there is a run where one of them stays and the other one does not.
                const std::vector<Arrays> pure{given, other(given, random)};
                Experiment experiment{pure, {}};
                const int count =
                    by_name(given, inputs.front().array).shape[static_cast<std::size_t>(inputs.front().axis)];
                for (int bit = 0; (count - 1) >> bit > 0; ++bit) {
                    Arrays mixed = given;
                    for (const Along& each : inputs)
                        if (has(given, each.array))
                            by_name(mixed, each.array) = slices_by_bit(
                                by_name(pure[0], each.array), by_name(pure[1], each.array), each.axis, bit);
                    experiment.runs.push_back(std::move(mixed));
                }
                experiment.relate = [=](const Outputs& y) {
                    Relations relations;
                    for (std::size_t run = 2; run < y.size(); ++run)
                        relations.push_back(
                            {left, right, by_name(y[run], output.array),
                             slices_by_bit(by_name(y[0], output.array), by_name(y[1], output.array),
                                           output.axis, static_cast<int>(run) - 2),
                             exact});
                    return relations;
                };
                return experiment;
            }};
}

Property slices_do_not_mix(std::string name, std::string statement, const std::string& slice,
                           std::vector<Along> inputs, const Along& output, bool exact) {
    std::vector<std::string> names;
    for (const Along& each : inputs) names.push_back(each.array);
    return slices_do_not_mix(
        std::move(name), std::move(statement), slice, std::move(inputs), output,
        [names](const Arrays& given, Random& random) { return with_other_numbers(given, names, random); },
        exact);
}

Property batches_do_not_mix(const std::vector<std::string>& batched, const std::string& output) {
    return slices_do_not_mix("batches_do_not_mix", "a batch's output does not depend on the other batches",
                             "batch", along_first_axis(batched), {output, 0});
}

Property rows_do_not_mix(std::string statement, const std::vector<std::string>& inputs,
                         const std::string& output) {
    return slices_do_not_mix("rows_do_not_mix", std::move(statement), "row", along_first_axis(inputs),
                             {output, 0});
}

Property later_change_nothing(std::string name, std::string statement, LaterPlaces later) {
    return {std::move(name), std::move(statement),
            [later = std::move(later)](const Arrays& inputs, Random& random) {
                const Array& array = by_name(inputs, later.array);
                const int count = array.shape[1];
                std::vector<Arrays> runs = {inputs};
                std::vector<int> unseen;
                for (int from = later.last_only ? count - 1 : 0; from < count; ++from) {
                    const int kept = later.unseen ? later.unseen(inputs, from) : from;
                    if (kept < 1) continue;
                    runs.push_back(later.change
                                       ? later.change(inputs, from, random)
                                       : with(inputs, later.array, with_other_rows(array, from, random)));
                    unseen.push_back(kept);
                }
                return Experiment{
                    runs, [later, unseen](const Outputs& y) {
                        Relations all;
                        for (std::size_t k = 0; k < unseen.size(); ++k)
                            for (const std::string& each : later.outputs)
                                all.push_back({each, each + " " + later.in_words,
                                               leading(by_name(y[0], each), 1, unseen[k]),
                                               leading(by_name(y[k + 1], each), 1, unseen[k]), later.exact});
                        return all;
                    }};
            }};
}

Property words_to_come(std::vector<std::string> outputs) {
    return later_change_nothing(
        "words_to_come", "words that come later change no step before them",
        {.array = "y", .outputs = std::move(outputs), .in_words = "before other words"});
}

Property last_word_is_not_fed(std::vector<std::string> outputs) {
    return later_change_nothing(
        "last_word_is_not_fed", "y_L changes nothing",
        {.array = "y", .outputs = std::move(outputs), .in_words = "before other words", .last_only = true});
}

Property linear_in(const std::string& input, const std::string& output) {
    return {
        "linear_in_" + input, output + " is linear in " + input,
        [input, output](const Arrays& inputs, Random& random) {
            const Array& first = by_name(inputs, input);
            const Array second = normal(input, first.shape, random);
            const Array mixed = combined(0.75, first, 0.25, second);
            return Experiment{
                {inputs, with(inputs, input, second), with(inputs, input, mixed)},
                [input, output](const Outputs& y) {
                    const std::string other = input + "'";
                    return Relations{{"f(3/4 " + input + " + 1/4 " + other + ")",
                                      "3/4 f(" + input + ") + 1/4 f(" + other + ")", by_name(y[2], output),
                                      combined(0.75, by_name(y[0], output), 0.25, by_name(y[1], output))}};
                }};
        }};
}

Array over_columns(const Array& Y, const Array& V, double start,
                   const std::function<double(double, double)>& f) {
    const auto N_q = static_cast<std::size_t>(Y.shape[1]), D_v = static_cast<std::size_t>(Y.shape[2]);
    const auto N_k = static_cast<std::size_t>(V.shape[1]);
    Array result = Array::zeros<double>("", Y.shape);
    for (std::size_t k = 0; k < Y.count(); ++k) {
        const std::size_t b = k / (N_q * D_v), d = k % D_v;
        double total = start;
        for (std::size_t j = 0; j < N_k; ++j) total = f(total, V.as<double>()[(b * N_k + j) * D_v + d]);
        result.as<double>()[k] = total;
    }
    return result;
}

Relation in_the_hull_of(const Array& Y, const Array& V) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const Array least = over_columns(Y, V, kInfinity, [](double a, double v) { return std::min(a, v); });
    const Array most = over_columns(Y, V, -kInfinity, [](double a, double v) { return std::max(a, v); });
    Array nearest = Y;
    for (std::size_t k = 0; k < Y.count(); ++k) {
        double& value = nearest.as<double>()[k];
        value = std::clamp(value, least.as<double>()[k], most.as<double>()[k]);
    }
    return {"Y", "the nearest number that V allows", Y, nearest};
}

Property in_the_hull_of_V(const std::function<Array(const Arrays& inputs)>& values) {
    return {"in_the_hull_of_V", "Y stays between the least and the greatest of its column of V",
            [values](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs},
                    [V = values ? values(inputs) : by_name(inputs, "V").cast<double>()](const Outputs& y) {
                        return Relations{in_the_hull_of(by_name(y[0], "Y"), V)};
                    }};
            }};
}

}  // namespace attn::ask
