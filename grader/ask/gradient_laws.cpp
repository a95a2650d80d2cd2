#include "grader/ask/gradient_laws.h"

#include <algorithm>
#include <utility>

namespace attn::ask {

Property linear_in_gradient(const std::vector<std::string>& of_outputs) {
    std::string all;
    for (const std::string& name : of_outputs) all += (all.empty() ? "" : " and ") + name;
    return {"linear_in_" + (of_outputs.size() == 1 ? all : "the_gradients"),
            "every gradient is linear in " + all, [of_outputs](const Arrays& inputs, Random& random) {
                // The shares do not add up to 1, so a constant in the gradient is seen, too.
                Arrays second = inputs, mixed = inputs;
                for (const std::string& name : of_outputs) {
                    const Array& first = by_name(inputs, name);
                    const Array other = normal(name, first.shape, random);
                    second = with(std::move(second), name, other);
                    mixed = with(std::move(mixed), name, combined(0.75, first, 0.5, other));
                }
                return Experiment{
                    {inputs, second, mixed}, [](const Outputs& y) {
                        Relations relations;
                        for (std::size_t k = 0; k < y[0].size(); ++k)
                            relations.push_back({y[2][k].name + " of 3/4 of a gradient and 1/2 of another",
                                                 "3/4 and 1/2 of theirs", y[2][k],
                                                 combined(0.75, y[0][k], 0.5, y[1][k])});
                        return relations;
                    }};
            }};
}

Property permutes(std::string name, std::string statement, std::vector<Along> inputs,
                  std::vector<Along> outputs) {
    return {std::move(name), std::move(statement),
            [inputs = std::move(inputs), outputs = std::move(outputs)](const Arrays& given, Random& random) {
                const Along& first = inputs.front();
                const auto order = random.permutation(
                    by_name(given, first.array).shape[static_cast<std::size_t>(first.axis)]);
                Arrays changed = given;
                for (const auto& [array, axis] : inputs)
                    if (has(given, array))
                        changed = with(changed, array, permuted(by_name(changed, array), axis, order));
                return Experiment{
                    {given, changed}, [order, outputs](const Outputs& y) {
                        Relations relations;
                        for (std::size_t k = 0; k < y[0].size(); ++k) {
                            Array wanted = y[0][k];
                            for (const auto& [array, axis] : outputs)
                                if (array == wanted.name) wanted = permuted(wanted, axis, order);
                            relations.push_back({wanted.name + " of the permuted inputs",
                                                 "what the inputs in their order give, permuted alike,",
                                                 y[1][k], wanted});
                        }
                        return relations;
                    }};
            }};
}

Property adds_up(std::string name, std::string statement, std::vector<std::string> cut,
                 std::vector<std::string> kept) {
    return {std::move(name), std::move(statement),
            [cut = std::move(cut), kept = std::move(kept)](const Arrays& inputs, Random&) {
                std::vector<Arrays> runs = one_by_one(inputs, cut);
                runs.insert(runs.begin(), inputs);
                return Experiment{
                    runs, [kept](const Outputs& y) {
                        Relations relations;
                        for (const Array& all : y[0]) {
                            if (std::ranges::find(kept, all.name) != kept.end()) {
                                relations.push_back(
                                    {all.name, all.name + " of a part alone", all, joined(y, 1, all.name)});
                                continue;
                            }
                            Array sum = by_name(y[1], all.name);
                            for (std::size_t run = 2; run < y.size(); ++run)
                                sum = combined(1, sum, 1, by_name(y[run], all.name));
                            relations.push_back({all.name, "the sum of those of the parts alone", all, sum});
                        }
                        return relations;
                    }};
            }};
}

Property batches_add_up(std::vector<std::string> cut, std::vector<std::string> kept) {
    return adds_up("batches_add_up", "batches do not mix, and the gradients of weights add up over them",
                   std::move(cut), std::move(kept));
}

Array summed(const Array& array, int axis) {
    const auto at = static_cast<std::size_t>(axis);
    Array sum = slices(array, axis, 0, 1);
    for (int k = 1; k < array.shape[at]; ++k) sum = combined(1, sum, 1, slices(array, axis, k, 1));
    sum.shape.erase(sum.shape.begin() + axis);
    return sum;
}

Relation sums_to_0(const Array& array, int axis, const std::string& of) {
    const int N = array.shape[static_cast<std::size_t>(axis)], half = N / 2;
    const Array others = summed(slices(array, axis, half, N - half), axis);
    return {"the sum of the first numbers of " + array.name + of, "minus the sum of the others",
            summed(slices(array, axis, 0, half), axis), combined(-1, others, 0, others)};
}

Property zero_sums(std::string name, std::string statement, const std::string& output, int axis) {
    return of_output(std::move(name), std::move(statement), output,
                     [axis](const Array& y, const Arrays&) { return Relations{sums_to_0(y, axis)}; });
}

Property rows_sum_to_0(const std::string& output, int axis) {
    return zero_sums("rows_sum_to_0", "the numbers of a row of " + output + " sum to 0", output, axis);
}

}  // namespace attn::ask
