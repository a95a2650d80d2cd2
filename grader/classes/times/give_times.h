#pragma once
/// Gives attempts the times that a file has for them.

#include <string>
#include <vector>

#include "grader/classes/gradebook/gradebook.h"
#include "grader/classes/times/times_file.h"

namespace attn::classes {

struct GivenTimes {
    std::size_t given = 0, of = 0;  ///< attempts that have the file's time now, of those that could
    std::vector<std::string> notes;
};

/// Gives the last attempt of each student at an exercise the time of their row. A time of a stronger source stays, with a
/// note if it is another. One transaction.
GivenTimes give_times(Gradebook& gradebook, int exercise, const TimesFile& times);

}  // namespace attn::classes
