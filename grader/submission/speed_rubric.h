#pragma once
/// What a rubric asks of a part's speed, and for how many points.

#include <string>
#include <vector>

#include "grader/checks/check.h"
#include "grader/judge/scale.h"

namespace attn::submission {

struct Hint {
    double below = 0;  ///< shown where the speed is below this multiple of the plain loops'
    std::string text;
};

struct SpeedRubric {
    double points = 0;
    const checks::Recipe* recipe = nullptr;
    checks::Sizes sizes;
    checks::Setting setting;
    std::vector<std::string> outputs;  ///< asked for; empty means all
    judge::Scale scale;
    int threads = 1;
    double budget_s = 4;      ///< of measuring
    std::vector<Hint> hints;  ///< the first that fits is shown
};

/// How much time, and memory beyond its arguments, a call may take as a length grows: at most N^exponent.
struct GrowthRubric {
    double points = 0;
    const checks::Recipe* recipe = nullptr;
    checks::Sizes sizes;  ///< of the lengths that stay
    checks::Setting setting;
    std::vector<std::string> outputs;
    std::vector<std::string> letters;  ///< grow together
    std::vector<int> lengths;          ///< at least three, increasing
    double time = 0, memory = 0;       ///< the exponents allowed; 0: not asked
    double budget_s = 2;
};

}  // namespace attn::submission
