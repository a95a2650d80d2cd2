// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include <algorithm>

#include "grader/ask/inputs.h"

namespace attn::ask::multi_head {
namespace {

/// Each batch of a mask, repeated for every head: [B H, N_q, N_k].
Array for_each_head(const Array& mask, int H) {
    std::vector<int> order;
    for (int b = 0; b < mask.shape[0]; ++b) order.insert(order.end(), static_cast<std::size_t>(H), b);
    return permuted(mask, 0, order);
}

}  // namespace

/// Q is split; the results of the heads are merged.
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name != "multi_head_attention") return {};
    const auto in = [&inputs](const char* name) -> const Array& { return by_name(inputs, name); };
    const int H = static_cast<int>(function.option_value(inputs, "H"));
    const auto projected = [&](const char* X, const char* W, const char* b) {
        return named("X", affine(in(X), in(W), in(b)));
    };
    const Arrays q = {projected("X_q", "W_Q", "b_Q"), option("H", H)};
    const auto heads = [&](const char* name, const Arrays& of) {
        const Array split = output_of("split_heads", of, "Y");
        return reshaped(named(name, split), {split.shape[0] * H, split.shape[2], split.shape[3]});
    };
    Arrays asked = {heads("Q", q), heads("K", {projected("X_kv", "W_K", "b_K"), option("H", H)}),
                    heads("V", {projected("X_kv", "W_V", "b_V"), option("H", H)})};
    const bool masked = inputs.end() != std::find_if(inputs.begin(), inputs.end(),
                                                     [](const Array& a) { return a.name == "mask"; });
    if (masked) asked.push_back(for_each_head(in("mask"), H));
    const Array O = output_of(masked ? "masked_attention" : "scaled_dot_product_attention", asked, "Y");
    return {{"split_heads", q},
            {"merge_heads", {named("X", reshaped(O, {O.shape[0] / H, H, O.shape[1], O.shape[2]}))}}};
}

}  // namespace attn::ask::multi_head
