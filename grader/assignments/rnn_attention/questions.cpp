// Assignment 1: the functions with their references and operation counts.

#include "contracts/rnn_attention_functions.h"
#include "grader/ask/check.h"
#include "grader/ask/flop.h"
#include "grader/assignments/rnn_attention/parts.h"

namespace attn::ask::rnn_attention {
namespace {

std::vector<Function> functions() {
    std::vector<Function> all = contract_functions();
    count_operations(all, "additive_scores", flop::additive_scores);
    count_operations(all, "decode", flop::decode);
    count_operations(all, "grid_attention", flop::grid_attention);
    return all;
}

const Registration kRegistered({"rnn_attention", functions(), recipes(), properties()});

}  // namespace
}  // namespace attn::ask::rnn_attention
