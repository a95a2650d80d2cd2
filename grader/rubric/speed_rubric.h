#pragma once
/// What a rubric asks of a part's speed, and for how many points.

#include <string>
#include <vector>

#include "grader/ask/check.h"
#include "grader/judge/scale.h"
#include "grader/rubric/asked.h"

namespace attn::submission {

struct Hint {
    double below = 0;  ///< shown where the speed is below this multiple of the plain loops'
    std::string text;
};

struct SpeedRubric : Asked {
    double points = 0;
    judge::Scale scale;
    int threads = 1;
    double budget_s = 4;      ///< of measuring
    std::vector<Hint> hints;  ///< the first that fits is shown, so `below` increases
};

/// How much time, and memory beyond its arguments, a call may take as a length grows: at most N^exponent.
struct GrowthRubric : Asked {  ///< its sizes are those that stay
    double points = 0;
    std::vector<std::string> letters;  ///< grow together
    std::vector<int> lengths;          ///< at least three, increasing
    double time = 0, memory = 0;       ///< the exponents allowed; 0: not asked
    double budget_s = 2;

    /// All sizes where the growing letters have this length.
    ask::Sizes sizes_at(int length) const;
};

class TableReader;

/// A part's [part.speed]. Throws UserError for whatever does not fit.
SpeedRubric read_speed(TableReader reader, const ask::Module& module, const ask::Function& function);

/// A part's [part.growth]. Likewise.
GrowthRubric read_growth(TableReader reader, const ask::Module& module, const ask::Function& function);

}  // namespace attn::submission
