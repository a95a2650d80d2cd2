#pragma once
/// The tables [part.speed] and [part.growth] of a rubric.

#include <string>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/measuring.h"

namespace attn::rubric {

struct Hint {
    double below = 0;  ///< shown if the speed is below this multiple of the plain loops' speed
    std::string text;
    /// Shown only if the compiled code calls this function of the C library, such as "exp", and if one call
    /// for each element of an array with these lengths takes much of the measured time.
    std::string library = {};
    std::vector<std::string> each = {};
};

struct SpeedRubric : ask::CallSpec, ask::SpeedTerms {
    double points = 0;
    std::vector<Hint> hints;  ///< the first that applies is shown; `below` increases
};

/// The sizes of the call are those that do not grow.
struct GrowthRubric : ask::CallSpec, ask::GrowthTerms {
    double points = 0;
};

class TableReader;

/// Reads [part.speed]. Throws UserError for anything that is not valid.
SpeedRubric read_speed(TableReader reader, const ask::Module& module, const ask::Function& function);

/// Reads [part.growth]. Throws UserError for anything that is not valid.
GrowthRubric read_growth(TableReader reader, const ask::Module& module, const ask::Function& function);

}  // namespace attn::rubric
