// The calls of smaller functions.

#include "grader/ask/inner_calls.h"

#include "grader/ask/inputs.h"

namespace attn::ask::language_model {

std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name == "perplexity") return {{"cross_entropy", inputs}};
    if (function.name == "language_model")
        return {{"embed_tokens", {by_name(inputs, "tokens"), by_name(inputs, "table")}}};
    return {};
}

}  // namespace attn::ask::language_model
