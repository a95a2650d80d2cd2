#include "grader/ask/laws.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "grader/ask/inner_calls.h"

namespace attn::ask {

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

Property with_option(Property property, const std::string& name, double value) {
    property.design = [design = property.design, name, value](const Arrays& inputs, Random& random) {
        return design(with_option(inputs, name, value), random);
    };
    return property;
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

Property batches_do_not_mix(std::vector<std::string> batched, const std::string& output) {
    return {"batches_do_not_mix", "the first batch's output does not depend on the other batches",
            [batched = std::move(batched), output](const Arrays& inputs, Random& random) {
                Arrays changed = inputs;
                for (const std::string& name : batched) {
                    Array& array = by_name(changed, name);
                    const std::size_t first = array.count() / static_cast<std::size_t>(array.shape[0]);
                    const Array fresh = normal(name, array.shape, random);
                    std::copy(fresh.as<float>().begin() + static_cast<std::ptrdiff_t>(first),
                              fresh.as<float>().end(),
                              array.as<float>().begin() + static_cast<std::ptrdiff_t>(first));
                }
                return Experiment{{inputs, changed}, [output](const Outputs& y) {
                                      return Relations{{output + " of batch 0",
                                                        output + " of batch 0 with the other batches changed",
                                                        leading(by_name(y[0], output), 0, 1),
                                                        leading(by_name(y[1], output), 0, 1)}};
                                  }};
            }};
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
