#pragma once
/// A call that a rubric asks for.

#include <string>
#include <vector>

#include "grader/checks/check.h"

namespace attn::submission {

struct Asked {
    const checks::Recipe* recipe = nullptr;
    checks::Sizes sizes;
    checks::Setting setting;
    std::vector<std::string> outputs;  ///< asked for; empty means all
};

}  // namespace attn::submission
