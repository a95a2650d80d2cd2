// Assignment 11: the functions with their recipes and properties.

#include "contracts/language_model_functions.h"
#include "grader/assignments/language_model/parts.h"

namespace attn::ask::language_model {
namespace {

const Registration kRegistered({"language_model", contract_functions(), recipes(), properties()});

}  // namespace
}  // namespace attn::ask::language_model
