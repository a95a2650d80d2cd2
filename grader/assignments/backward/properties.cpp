// Assignment 13: the properties of right gradients.

#include <algorithm>
#include <utility>

#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::backward {
namespace {

using Names = std::vector<std::string>;

/// An array, and one of its axes.
struct Along {
    std::string array;
    int axis;
};

/// f(3/4 dY + 1/4 dY') = 3/4 f(dY) + 1/4 f(dY') for the gradients of all outputs of the forward together.
Property linear_in_gradient(const Names& of_outputs) {
    std::string all;
    for (const std::string& name : of_outputs) all += (all.empty() ? "" : " and ") + name;
    return {"linear_in_" + (of_outputs.size() == 1 ? all : "the_gradients"),
            "every gradient is linear in " + all, [of_outputs](const Arrays& inputs, Random& random) {
                Arrays second = inputs, mixed = inputs;
                for (const std::string& name : of_outputs) {
                    const Array& first = by_name(inputs, name);
                    const Array other = normal(name, first.shape, random);
                    second = with(std::move(second), name, other);
                    mixed = with(std::move(mixed), name, combined(0.75, first, 0.25, other));
                }
                return Experiment{
                    {inputs, second, mixed}, [](const Outputs& y) {
                        Relations relations;
                        for (std::size_t k = 0; k < y[0].size(); ++k)
                            relations.push_back({y[2][k].name + " of 3/4 of a gradient and 1/4 of another",
                                                 "3/4 and 1/4 of theirs", y[2][k],
                                                 combined(0.75, y[0][k], 0.25, y[1][k])});
                        return relations;
                    }};
            }};
}

/// If these inputs are permuted along these axes, all in the same way, then these outputs are, too, and the
/// others stay.
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

Array rest(const Array& array, int first) {
    return slices(array, 0, first, array.shape[0] - first);
}

/// The first slices of these inputs alone, and the others alone, give the same slices of `kept`. All other
/// outputs add up.
Property adds_up(std::string name, std::string statement, Names cut, Names kept) {
    return {std::move(name), std::move(statement),
            [cut = std::move(cut), kept = std::move(kept)](const Arrays& inputs, Random&) {
                const int count = by_name(inputs, cut.front()).shape[0] / 2;
                Arrays first = inputs, others = inputs;
                for (const std::string& each : cut) {
                    if (!has(inputs, each)) continue;
                    const Array& array = by_name(inputs, each);
                    first = with(std::move(first), each, leading(array, 0, count));
                    others = with(std::move(others), each, rest(array, count));
                }
                return Experiment{
                    {inputs, first, others}, [count, kept](const Outputs& y) {
                        Relations relations;
                        for (std::size_t k = 0; k < y[0].size(); ++k) {
                            const Array& all = y[0][k];
                            const std::string part = all.name + " of a part alone";
                            if (std::ranges::find(kept, all.name) == kept.end()) {
                                relations.push_back({all.name, "the sum of those of two parts", all,
                                                     combined(1, y[1][k], 1, y[2][k])});
                                continue;
                            }
                            relations.push_back({all.name, part, leading(all, 0, count), y[1][k]});
                            relations.push_back({all.name, part, rest(all, count), y[2][k]});
                        }
                        return relations;
                    }};
            }};
}

Property batches_add_up(Names cut, Names kept) {
    return adds_up("batches_add_up", "batches do not mix, and the gradients of weights add up over them",
                   std::move(cut), std::move(kept));
}

/// The sums along an axis, which disappears.
Array summed(const Array& array, int axis) {
    const auto at = static_cast<std::size_t>(axis);
    Array sum = slices(array, axis, 0, 1);
    for (int k = 1; k < array.shape[at]; ++k) sum = combined(1, sum, 1, slices(array, axis, k, 1));
    sum.shape.erase(sum.shape.begin() + axis);
    return sum;
}

/// The sum along an axis is 0.
Relation sums_to_0(const Array& array, int axis, const std::string& of = "") {
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

/// A change of one input must not change `output`.
Property changes_nothing(std::string name, std::string statement, const std::string& input,
                         std::function<double(double)> change, const std::string& output) {
    return unchanged(
        std::move(name), std::move(statement), "with another " + input,
        [input, change = std::move(change)](const Arrays& inputs, Random&) {
            return with(inputs, input, map(by_name(inputs, input), change));
        },
        output);
}

double plus_3(double x) {
    return x + 3;
}

std::vector<Property> softmax_laws() {
    return {linear_in_gradient({"dY"}), rows_sum_to_0("dX", 1),
            changes_nothing("shift_changes_nothing", "adding 3 to all scores changes no gradient", "X",
                            plus_3, "dX"),
            adds_up("rows_do_not_mix", "a row's gradient does not depend on the other rows", {"dY", "X"},
                    {"dX"})};
}

Property keys_permute(std::vector<Along> inputs, std::vector<Along> outputs) {
    return permutes("keys_permute", "keys in another order have their gradients in this order",
                    std::move(inputs), std::move(outputs));
}

Property sum_of_dV() {
    return {"sum_of_dV", "dV summed over the keys is dY summed over the queries",
            [](const Arrays& inputs, Random&) {
                return Experiment{{inputs}, [dY = by_name(inputs, "dY").cast<double>()](const Outputs& y) {
                                      return Relations{{"the sum of dV", "the sum of dY",
                                                        summed(by_name(y[0], "dV"), 1), summed(dY, 1)}};
                                  }};
            }};
}

std::vector<Property> attention_laws() {
    return {linear_in_gradient({"dY"}), sum_of_dV(),
            zero_sums("sum_of_dK", "dK sums to 0: the same vector added to all keys changes no Y", "dK", 1),
            keys_permute({{"K", 1}, {"V", 1}}, {{"dK", 1}, {"dV", 1}}),
            batches_add_up({"dY", "Q", "K", "V"}, {"dQ", "dK", "dV"})};
}

/// The last key is hidden from all queries, and then changed.
Property hidden_key() {
    return {"hidden_key", "a key that no query sees has no gradient and changes none",
            [](const Arrays& inputs, Random& random) {
                Array mask = by_name(inputs, "mask"), K = by_name(inputs, "K"), V = by_name(inputs, "V");
                const auto M = mask.view<std::uint8_t, 3>();
                const int last = M.size(2) - 1;
                for (int b = 0; b < M.size(0); ++b) {
                    for (int i = 0; i < M.size(1); ++i) M(b, i, last) = 0;
                    for (Array* array : {&K, &V})
                        for (int d = 0; d < array->shape[2]; ++d)
                            array->view<float, 3>()(b, last, d) = random.normal();
                }
                const Arrays hidden = with(inputs, "mask", mask);
                return Experiment{{hidden, with(with(hidden, "K", K), "V", V)}, [last](const Outputs& y) {
                                      Relations relations = {{"dQ", "dQ with another hidden key",
                                                              by_name(y[0], "dQ"), by_name(y[1], "dQ")}};
                                      for (const char* name : {"dK", "dV"}) {
                                          const Array of_last = slices(by_name(y[0], name), 1, last, 1);
                                          relations.push_back({std::string(name) + " of a hidden key", "0",
                                                               of_last, filled(of_last.shape, 0), true});
                                      }
                                      return relations;
                                  }};
            }};
}

std::vector<Property> masked_laws() {
    return {linear_in_gradient({"dY"}), hidden_key(),
            keys_permute({{"K", 1}, {"V", 1}, {"mask", 2}}, {{"dK", 1}, {"dV", 1}}),
            batches_add_up({"dY", "Q", "K", "V", "mask"}, {"dQ", "dK", "dV"})};
}

Property tokens_permute() {
    return permutes("tokens_permute",
                    "tokens in another order have their gradients in this order, and weights the same ones",
                    {{"X", 1}, {"dY", 1}, {"mask", 1}, {"mask", 2}}, {{"dX", 1}});
}

std::vector<Property> layer_norm_laws() {
    return {linear_in_gradient({"dY"}),
            linear_in("gamma", "dX"),
            rows_sum_to_0("dX", 1),
            {"orthogonal_to_x_hat", "with a tiny eps, dX is orthogonal to X: a longer row has the same norm",
             [](const Arrays& inputs, Random&) {
                 constexpr double kTiny = 1e-12;
                 const Array X = by_name(inputs, "X").cast<double>();
                 return Experiment{{with(inputs, "eps", option("eps", kTiny))}, [X](const Outputs& y) {
                                       Array products = by_name(y[0], "dX");
                                       for (std::size_t k = 0; k < X.count(); ++k)
                                           products.as<double>()[k] *= X.as<double>()[k];
                                       return Relations{sums_to_0(products, 1, " X")};
                                   }};
             }},
            adds_up("rows_add_up", "rows do not mix, and the gradients of gamma and beta add up over them",
                    {"dY", "X"}, {"dX"})};
}

Property hidden_numbers_permute() {
    return permutes("hidden_numbers_permute",
                    "the hidden numbers in another order have their gradients in this order",
                    {{"W_1", 1}, {"b_1", 0}, {"W_2", 0}}, {{"dW_1", 1}, {"db_1", 0}, {"dW_2", 0}});
}

std::vector<Property> embed_laws() {
    return {linear_in_gradient({"dZ"}),
            batches_add_up({"dZ", "X"}, {"dX"}),
            {"sum_of_dE_pos", "dE_pos has dcls in its first row, and the others sum to db",
             [](const Arrays& inputs, Random&) {
                 return Experiment{{inputs}, [](const Outputs& y) {
                                       const Array& dE_pos = by_name(y[0], "dE_pos");
                                       return Relations{{"dcls", "row 0 of dE_pos", by_name(y[0], "dcls"),
                                                         summed(slices(dE_pos, 0, 0, 1), 0)},
                                                        {"db", "the sum of the other rows of dE_pos",
                                                         by_name(y[0], "db"), summed(rest(dE_pos, 1), 0)}};
                                   }};
             }},
            permutes("features_permute", "features of the tokens in another order",
                     {{"E", 1}, {"dZ", 2}, {"b", 0}, {"cls", 0}, {"E_pos", 1}},
                     {{"dE", 1}, {"db", 0}, {"dcls", 0}, {"dE_pos", 1}})};
}

std::vector<Property> score_laws() {
    return {linear_in_gradient({"de"}),
            permutes("words_permute", "words in another order have their gradients in this order",
                     {{"h", 1}, {"de", 1}}, {{"dh", 1}}),
            permutes("hidden_numbers_permute", "the hidden numbers of the score in another order",
                     {{"v", 0}, {"W_q", 1}, {"W_k", 1}}, {{"dv", 0}, {"dW_q", 1}, {"dW_k", 1}}),
            batches_add_up({"de", "s_prev", "h"}, {"ds_prev", "dh"})};
}

std::vector<Property> context_laws() {
    return {linear_in_gradient({"da", "dc"}), rows_sum_to_0("de", 1),
            permutes("words_permute", "words in another order have their gradients in this order",
                     {{"h", 1}, {"e", 1}, {"mask", 1}, {"da", 1}}, {{"de", 1}, {"dh", 1}}),
            batches_add_up({"da", "dc", "e", "h", "mask"}, {"de", "dh"})};
}

std::vector<Property> step_laws() {
    return {linear_in_gradient({"ds"}),
            permutes("units_permute", "the numbers of the state in another order",
                     {{"b", 0}, {"ds", 1}, {"s_prev", 1}, {"W_x", 1}, {"W_s", 0}, {"W_s", 1}},
                     {{"db", 0}, {"ds_prev", 1}, {"dW_x", 1}, {"dW_s", 0}, {"dW_s", 1}}),
            batches_add_up({"ds", "y_prev", "c", "s_prev"}, {"dy_prev", "dc", "ds_prev"})};
}

/// Only the first states reach the loss: later words have no gradient, and changing them changes none.
Property later_words() {
    return {"later_words", "if the loss reads the first states only, later words have no gradient",
            [](const Arrays& inputs, Random&) {
                Array dS = by_name(inputs, "dS");
                const int L = dS.shape[1], D = dS.shape[2], first = L / 2;
                for (int b = 0; b < dS.shape[0]; ++b)
                    for (int t = first; t < L; ++t)
                        for (int d = 0; d < D; ++d) dS.view<float, 3>()(b, t, d) = 0;
                return Experiment{
                    {with(inputs, "dS", dS)}, [first, L](const Outputs& y) {
                        const Array later = slices(by_name(y[0], "dy"), 1, first, L + 1 - first);
                        return Relations{{"dy of a later word", "0", later, filled(later.shape, 0), true}};
                    }};
            }};
}

Property ignored_get_0() {
    return {"ignored_get_0", "places whose target is -1 have no gradient and change none",
            [](const Arrays& inputs, Random& random) {
                const Array& targets = by_name(inputs, "targets");
                Array logits = by_name(inputs, "logits");
                const auto V = static_cast<std::size_t>(logits.shape[2]);
                for (std::size_t k = 0; k < logits.count(); ++k)
                    if (targets.as<std::int32_t>()[k / V] == -1) logits.as<float>()[k] = random.normal();
                return Experiment{
                    {inputs, with(inputs, "logits", logits)}, [targets, V](const Outputs& y) {
                        const Array& given = by_name(y[0], "dlogits");
                        Array with_0 = given;
                        for (std::size_t k = 0; k < given.count(); ++k)
                            if (targets.as<std::int32_t>()[k / V] == -1) with_0.as<double>()[k] = 0;
                        return Relations{
                            {"dlogits", "dlogits with 0 at these places", given, with_0, true},
                            {"dlogits", "dlogits with other logits there", given, by_name(y[1], "dlogits")}};
                    }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"softmax_backward", softmax_laws()},
        {"scaled_dot_product_attention_backward", attention_laws()},
        {"masked_attention_backward", masked_laws()},
        {"self_attention_backward",
         {linear_in_gradient({"dY"}), tokens_permute(), batches_add_up({"dY", "X"}, {"dX"})}},
        {"multi_head_attention_backward",
         {linear_in_gradient({"dY"}), keys_permute({{"X_kv", 1}, {"mask", 2}}, {{"dX_kv", 1}}),
          batches_add_up({"dY", "X_q", "X_kv", "mask"}, {"dX_q", "dX_kv"})}},
        {"layer_norm_backward", layer_norm_laws()},
        {"feed_forward_backward",
         {linear_in_gradient({"dY"}), hidden_numbers_permute(),
          adds_up("rows_add_up", "rows do not mix, and the gradients of weights add up over them",
                  {"dY", "X"}, {"dX"})}},
        {"transformer_block_backward",
         {linear_in_gradient({"dY"}), tokens_permute(), hidden_numbers_permute(),
          batches_add_up({"dY", "X", "mask"}, {"dX"})}},
        {"embed_patches_backward", embed_laws()},
        {"additive_scores_backward", score_laws()},
        {"attention_context_backward", context_laws()},
        {"decoder_step_backward", step_laws()},
        {"decode_backward",
         {linear_in_gradient({"dS"}), batches_add_up({"dS", "h", "mask", "y"}, {"dh", "dy"}), later_words()}},
        {"cross_entropy_backward",
         {linear_in_gradient({"dloss"}), rows_sum_to_0("dlogits", 2),
          changes_nothing("constant_changes_nothing", "adding 3 to all logits changes no gradient", "logits",
                          plus_3, "dlogits"),
          ignored_get_0()}}};
}

}  // namespace attn::ask::backward
