// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include "grader/ask/inputs.h"

namespace attn::ask::positional_encoding {

std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name != "rotary_attention") return {};
    const auto rotary = [&inputs](const char* name) {
        return InnerCall{"rotary_positions", {named("X", by_name(inputs, name)), option("offset", 0)}};
    };
    return {rotary("Q"), rotary("K")};
}

}  // namespace attn::ask::positional_encoding
