#pragma once
/// What a rubric asks of a part's speed, and for how many points.

#include <string>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/judge/measuring.h"

namespace attn::submission {

struct Hint {
    double below = 0;  ///< shown where the speed is below this multiple of the plain loops'
    std::string text;
};

struct SpeedRubric : ask::CallSpec, judge::SpeedTerms {
    double points = 0;
    std::vector<Hint> hints;  ///< the first that fits is shown, so `below` increases
};

/// The call's sizes are those that do not grow.
struct GrowthRubric : ask::CallSpec, judge::GrowthTerms {
    double points = 0;
};

class TableReader;

/// A part's [part.speed]. Throws UserError for whatever does not fit.
SpeedRubric read_speed(TableReader reader, const ask::Module& module, const ask::Function& function);

/// A part's [part.growth]. Likewise.
GrowthRubric read_growth(TableReader reader, const ask::Module& module, const ask::Function& function);

}  // namespace attn::submission
