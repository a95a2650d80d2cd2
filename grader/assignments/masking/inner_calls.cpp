// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include "grader/ask/inputs.h"

namespace attn::ask::masking {

std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name != "masked_attention") return {};
    return {{"masked_softmax",
             {named("X", scores(first_of(by_name(inputs, "Q")), first_of(by_name(inputs, "K")))),
              first_of(by_name(inputs, "mask"))}}};
}

}  // namespace attn::ask::masking
