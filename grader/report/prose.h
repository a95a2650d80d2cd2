#pragma once
/// A check told in full, piece by piece: every writer of prose prints these in its own manner.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

enum class Voice {
    sentence,
    cause,    ///< what was done wrong, in a sentence
    numbers,  ///< lines laid out in columns
    printed,  ///< by the student's function
    command,  ///< what to type for more
};

struct Piece {
    Voice voice = Voice::sentence;
    std::string text;
};

using Story = std::vector<Piece>;

/// "case ragged", "property rows_sum_to_one", "speed"
std::string name_in_words(const Check& check);

/// What there is to say of a clean check: what was asked, what happened and where, the smallest case, the
/// mistake, hints, what was printed, what to type next. Numbers are laid out for a terminal of that width.
Story story_of(const Report& report, const Part& part, const Check& check, std::size_t width = 110);

/// A story as plain text in lines, as clean as the check is. What was printed stands behind "| ".
std::string plain(const Story& story);

}  // namespace attn::report
