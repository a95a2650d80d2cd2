// Assignment 11: the functions with their recipes and properties.

#include "contracts/language_model_functions.h"
#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/language_model/parts.h"

namespace attn::ask::language_model {
namespace {

/// The calls of smaller functions.
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs) {
    if (function.name == "perplexity") return {{"cross_entropy", inputs}};
    if (function.name == "language_model")
        return {{"embed_tokens", {by_name(inputs, "tokens"), by_name(inputs, "table")}}};
    return {};
}

const Registration kRegistered(
    {"language_model", contract_functions(), recipes(), properties(), {}, {}, inner_calls});

}  // namespace
}  // namespace attn::ask::language_model
