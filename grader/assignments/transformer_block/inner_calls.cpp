// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include "grader/ask/inputs.h"

namespace attn::ask::transformer_block {
namespace {

/// [B, N, D] as [B N, D]: layer norm and feed-forward treat every token on its own.
Array tokens(const Array& X) {
    return reshaped(X, {X.shape[0] * X.shape[1], X.shape[2]});
}

/// The multi-head attention of X with itself.
Array attend(const Array& X, const Arrays& inputs) {
    Arrays asked = {named("X_q", X), named("X_kv", X)};
    for (const Array& input : inputs)
        if (input.name == "mask" || input.name == "H" || input.name.starts_with("W_") ||
            input.name.starts_with("b_"))
            asked.push_back(input);
    std::erase_if(asked, [](const Array& a) { return a.name.ends_with("_1") || a.name.ends_with("_2"); });
    return output_of("multi_head_attention", asked, "Y");
}

std::vector<InnerCall> calls_of_block(const Function& function, const Arrays& inputs) {
    const auto in = [&inputs](const char* name) -> const Array& { return by_name(inputs, name); };
    const Array eps = option("eps", function.option_value(inputs, "eps"));
    const auto norm = [&](const Array& of, const char* gamma, const char* beta) {
        return Arrays{named("X", tokens(of)), named("gamma", in(gamma)), named("beta", in(beta)), eps};
    };
    const auto normed = [&](const Array& of, const char* gamma, const char* beta) {
        return reshaped(output_of("layer_norm", norm(of, gamma, beta), "Y"), of.shape);
    };
    const Array& X = in("X");
    const bool pre = function.option_value(inputs, "norm") == 0;
    const Array sum = combined(1, X, 1, attend(pre ? normed(X, "gamma_1", "beta_1") : X, inputs));
    const Array Z = normed(sum, pre ? "gamma_2" : "gamma_1", pre ? "beta_2" : "beta_1");
    return {{"layer_norm", norm(pre ? X : sum, "gamma_1", "beta_1")},
            {"feed_forward",
             {named("X", tokens(Z)), in("W_1"), in("b_1"), in("W_2"), in("b_2"),
              option("activation", function.option_value(inputs, "activation"))}}};
}

}  // namespace

/// Of an encoder, the call of the first block.
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name == "transformer_block") return calls_of_block(function, inputs);
    if (function.name != "transformer_encoder") return {};
    Arrays block;
    for (const Array& input : inputs) {
        const bool as_it_is = input.name == "X" || input.name == "mask" || input.shape.empty();
        if (input.name != "gamma" && input.name != "beta")
            block.push_back(as_it_is ? input : named(input.name, first_of(input)));
    }
    return {{"transformer_block", block}};
}

}  // namespace attn::ask::transformer_block
