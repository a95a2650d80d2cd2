// Assignment 7: the functions with their recipes and properties.

#include "contracts/seq2seq_functions.h"
#include "grader/assignments/seq2seq/parts.h"

namespace attn::ask::seq2seq {
namespace {

const Registration kRegistered({"seq2seq", contract_functions(), recipes(), properties()});

}  // namespace
}  // namespace attn::ask::seq2seq
