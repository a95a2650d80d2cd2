// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include "grader/ask/inputs.h"

namespace attn::ask::self_attention {

std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    const auto in = [&inputs](const char* name) -> const Array& { return by_name(inputs, name); };
    if (function.name == "scaled_dot_product_attention")
        return {{"softmax", {named("X", scores(first_of(in("Q")), first_of(in("K"))))}}};
    if (function.name == "self_attention")
        return {{"scaled_dot_product_attention",
                 {named("Q", product(in("X"), in("W_Q"))), named("K", product(in("X"), in("W_K"))),
                  named("V", product(in("X"), in("W_V")))}}};
    return {};
}

}  // namespace attn::ask::self_attention
