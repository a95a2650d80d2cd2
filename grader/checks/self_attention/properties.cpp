// Assignment 2, what holds for every right answer.

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/checks/inputs.h"
#include "grader/checks/self_attention/parts.h"

namespace attn::checks::self_attention {
namespace {

using Outputs = std::vector<Arrays>;

Array filled(const Shape& shape, double value) {
    return map(Array::zeros<double>("", shape), [value](double) { return value; });
}

using Relations = std::vector<Relation>;

Property rows_sum_to_one(const std::string& output) {
    return {"rows_sum_to_one", "every row of " + output + " sums to 1 and its numbers lie in 0 .. 1",
            [output](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs}, [output](const Outputs& y) {
                        const Array& weights = by_name(y[0], output);
                        const Array sums =
                            folded(weights, 0, [](double total, double a) { return total + a; });
                        const Array nearest = map(weights, [](double a) { return std::clamp(a, 0.0, 1.0); });
                        return Relations{{"the sum of a row of " + output, "1", sums, filled(sums.shape, 1)},
                                         {output, "the nearest number in 0 .. 1", weights, nearest}};
                    }};
            }};
}

/// f with one input changed must give what f gave.
Property unchanged(std::string name, std::string statement, std::string changed_name,
                   std::function<Arrays(const Arrays&, Random&)> change) {
    return {std::move(name), std::move(statement),
            [changed_name = std::move(changed_name), change = std::move(change)](const Arrays& inputs,
                                                                                 Random& random) {
                return Experiment{
                    {inputs, change(inputs, random)}, [changed_name](const Outputs& y) {
                        return Relations{{"Y", "Y " + changed_name, by_name(y[0], "Y"), by_name(y[1], "Y")}};
                    }};
            }};
}

/// f of rows in another order is the rows of f in that order: f(P X) = P f(X).
Property equivariant(std::string name, std::string statement, std::string input, int axis) {
    return {std::move(name), std::move(statement),
            [input = std::move(input), axis](const Arrays& inputs, Random& random) {
                const auto order =
                    random.permutation(by_name(inputs, input).shape[static_cast<std::size_t>(axis)]);
                return Experiment{
                    {inputs, with(inputs, input, permuted(by_name(inputs, input), axis, order))},
                    [order, axis](const Outputs& y) {
                        return Relations{{"P f(X)", "f(P X)", permuted(by_name(y[0], "Y"), axis, order),
                                          by_name(y[1], "Y")}};
                    }};
            }};
}

/// What is asked of batch 0 must not depend on what stands in the others.
Property batches_do_not_mix(const std::vector<std::string>& batched) {
    return {"batches_do_not_mix", "the first batch's output does not depend on the other batches",
            [batched](const Arrays& inputs, Random& random) {
                Arrays changed = inputs;
                for (const std::string& name : batched) {
                    Array& array = by_name(changed, name);
                    const std::size_t first = array.count() / static_cast<std::size_t>(array.shape[0]);
                    const Array fresh = normal(name, array.shape, random);
                    std::copy(fresh.as<float>().begin() + static_cast<std::ptrdiff_t>(first),
                              fresh.as<float>().end(),
                              array.as<float>().begin() + static_cast<std::ptrdiff_t>(first));
                }
                return Experiment{
                    {inputs, changed}, [](const Outputs& y) {
                        const auto first_batch = [](const Array& a) {
                            const std::size_t count = a.count() / static_cast<std::size_t>(a.shape[0]);
                            Shape shape = a.shape;
                            shape[0] = 1;
                            return Array(a.name, shape,
                                         std::vector<double>(
                                             a.as<double>().begin(),
                                             a.as<double>().begin() + static_cast<std::ptrdiff_t>(count)));
                        };
                        return Relations{{"Y of batch 0", "Y of batch 0 beside other batches",
                                          first_batch(by_name(y[0], "Y")), first_batch(by_name(y[1], "Y"))}};
                    }};
            }};
}

/// V as the function uses it: given, or X W_V.
Array values_of(const Arrays& inputs) {
    const bool layer =
        std::any_of(inputs.begin(), inputs.end(), [](const Array& a) { return a.name == "W_V"; });
    return (layer ? product(by_name(inputs, "X"), by_name(inputs, "W_V")) : by_name(inputs, "V"))
        .cast<double>();
}

/// For each number of Y [B, N_q, D_v], f over its column of V [B, N_k, D_v], beginning with `start`.
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

Property in_the_hull() {
    return {"in_the_hull_of_V", "Y stays between the least and the greatest of its column of V",
            [](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs}, [V = values_of(inputs)](const Outputs& y) {
                        constexpr double kInfinity = std::numeric_limits<double>::infinity();
                        const Array& Y = by_name(y[0], "Y");
                        const Array least =
                            over_columns(Y, V, kInfinity, [](double a, double v) { return std::min(a, v); });
                        const Array most =
                            over_columns(Y, V, -kInfinity, [](double a, double v) { return std::max(a, v); });
                        Array nearest = Y;
                        for (std::size_t k = 0; k < Y.count(); ++k) {
                            double& value = nearest.as<double>()[k];
                            value = std::clamp(value, least.as<double>()[k], most.as<double>()[k]);
                        }
                        return Relations{{"Y", "the nearest number that V allows", Y, nearest}};
                    }};
            }};
}

/// Queries that ask for nothing weigh all keys alike.
Property no_query_gives_the_mean(const std::string& input) {
    return {"zero_" + input + "_gives_the_mean", input + " = 0 gives the mean of V",
            [input](const Arrays& inputs, Random&) {
                const Arrays run =
                    with(inputs, input, map(by_name(inputs, input), [](double) { return 0.0; }));
                return Experiment{
                    {run}, [V = values_of(inputs)](const Outputs& y) {
                        const double share = 1.0 / V.shape[1];
                        const Array& Y = by_name(y[0], "Y");
                        const auto mean = [share](double total, double v) { return total + share * v; };
                        return Relations{{"Y", "the mean of V", Y, over_columns(Y, V, 0, mean)}};
                    }};
            }};
}

/// f(3/4 V + 1/4 V') = 3/4 f(V) + 1/4 f(V')
Property linear_in(const std::string& input) {
    return {"linear_in_" + input, "Y is linear in " + input, [input](const Arrays& inputs, Random& random) {
                const Array& first = by_name(inputs, input);
                const Array second = normal(input, first.shape, random);
                const Array mixed = combined(0.75, first, 0.25, second);
                return Experiment{
                    {inputs, with(inputs, input, second), with(inputs, input, mixed)},
                    [input](const Outputs& y) {
                        const std::string other = input + "'";
                        return Relations{{"f(3/4 " + input + " + 1/4 " + other + ")",
                                          "3/4 f(" + input + ") + 1/4 f(" + other + ")", by_name(y[2], "Y"),
                                          combined(0.75, by_name(y[0], "Y"), 0.25, by_name(y[1], "Y"))}};
                    }};
            }};
}

/// The same number added to every entry of a row, another to each row; or the same vector to every key.
Arrays shift_rows(const Arrays& inputs, Random& random) {
    Array X = by_name(inputs, "X");
    const auto D = static_cast<std::size_t>(X.shape[1]);
    for (std::size_t i = 0; i < X.count() / D; ++i) {
        const float shift = static_cast<float>(random.below(41) - 20);
        for (std::size_t j = 0; j < D; ++j) X.as<float>()[i * D + j] += shift;
    }
    return with(inputs, "X", X);
}

Arrays shift_keys(const Arrays& inputs, Random& random) {
    Array K = by_name(inputs, "K");
    const Array b = normal("b", {K.shape[2]}, random);
    const auto D_q = static_cast<std::size_t>(K.shape[2]);
    for (std::size_t k = 0; k < K.count(); ++k) K.as<float>()[k] += b.as<float>()[k % D_q];
    return with(inputs, "K", K);
}

Arrays permute_keys_and_values(const Arrays& inputs, Random& random) {
    const auto order = random.permutation(by_name(inputs, "K").shape[1]);
    Arrays changed = with(inputs, "K", permuted(by_name(inputs, "K"), 1, order));
    return with(std::move(changed), "V", permuted(by_name(inputs, "V"), 1, order));
}

/// M adds column 0 to the last and halves column 0; M^-T undoes that in every product of a query with a
/// key.
Arrays change_basis(const Arrays& inputs, Random&) {
    Array W_Q = by_name(inputs, "W_Q"), W_K = by_name(inputs, "W_K");
    const auto D_q = static_cast<std::size_t>(W_Q.shape[1]);
    for (std::size_t row = 0; row < W_Q.count(); row += D_q) {
        float* q = &W_Q.as<float>()[row];
        float* k = &W_K.as<float>()[row];
        if (D_q > 1) {
            q[D_q - 1] += q[0];
            k[0] -= k[D_q - 1];
        }
        q[0] /= 2;
        k[0] *= 2;
    }
    return with(with(inputs, "W_Q", W_Q), "W_K", W_K);
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"softmax",
         {rows_sum_to_one("Y"),
          unchanged("shift_invariant", "softmax(x + c) = softmax(x)", "of rows shifted by a constant each",
                    shift_rows),
          equivariant("columns_permute", "permuted columns give permuted columns", "X", 1),
          equivariant("rows_do_not_mix", "permuted rows give permuted rows", "X", 0)}},
        {"scaled_dot_product_attention",
         {rows_sum_to_one("A"),
          equivariant("queries_permute", "permuted queries give permuted outputs", "Q", 1),
          unchanged("keys_and_values_permute", "K and V permuted together change nothing",
                    "with K and V permuted", permute_keys_and_values),
          unchanged("same_vector_on_every_key", "K + 1 b^T, the same vector on every key, changes nothing",
                    "with K + 1 b^T", shift_keys),
          in_the_hull(), batches_do_not_mix({"Q", "K", "V"}), no_query_gives_the_mean("Q"), linear_in("V")}},
        {"self_attention",
         {equivariant("equivariant", "f(P X) = P f(X): permuted tokens give permuted outputs", "X", 1),
          unchanged("change_of_basis", "W_Q M and W_K M^-T in place of W_Q and W_K change nothing",
                    "with W_Q M and W_K M^-T", change_basis),
          in_the_hull(), batches_do_not_mix({"X"}), no_query_gives_the_mean("W_Q"), linear_in("W_V")}},
    };
}

}  // namespace attn::checks::self_attention
