#include "contracts/backward_functions.h"
#include "grader/ask/inputs.h"

namespace attn::ask::backward {
namespace {

const Registration kRegistered({
    "backward",
    contract_functions(),
    {normal_recipe()},
    {},
    {},
    {},
});

}  // namespace
}  // namespace attn::ask::backward
