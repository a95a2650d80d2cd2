// Assignment 13: the properties of right gradients.

#include <algorithm>
#include <utility>

#include "grader/ask/gradient_laws.h"

namespace attn::ask::backward {
namespace {

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
                                       return Relations{
                                           {"dcls", "row 0 of dE_pos", by_name(y[0], "dcls"),
                                            summed(slices(dE_pos, 0, 0, 1), 0)},
                                           {"db", "the sum of the other rows of dE_pos", by_name(y[0], "db"),
                                            summed(slices_from(dE_pos, 0, 1), 0)}};
                                   }};
             }},
            permutes("features_permute", "features of the tokens in another order",
                     {{"E", 1}, {"dZ", 2}, {"b", 0}, {"cls", 0}, {"E_pos", 1}},
                     {{"dE", 1}, {"db", 0}, {"dcls", 0}, {"dE_pos", 1}})};
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
    return {{"softmax_backward", softmax_laws()},
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
            {"cross_entropy_backward",
             {linear_in_gradient({"dloss"}), rows_sum_to_0("dlogits", 2),
              changes_nothing("constant_changes_nothing", "adding 3 to all logits changes no gradient",
                              "logits", plus_3, "dlogits"),
              ignored_get_0()}}};
}

}  // namespace attn::ask::backward
