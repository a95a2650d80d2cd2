#pragma once
/// A call that a rubric asks for.

#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::submission {

struct Asked {
    const ask::Recipe* recipe = nullptr;
    ask::Sizes sizes;
    ask::Setting setting;
    std::vector<std::string> outputs;  ///< asked for; empty means all
};

}  // namespace attn::submission
