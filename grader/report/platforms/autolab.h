#pragma once
/// The last two lines of an autograder's standard output, which Autolab reads.
///
/// The first line is the formatted feedback with the result of each check, the second is
/// {"scores": {..}, "scoreboard": [..]}. If one assignment was graded, the problems are its parts, named
/// after their functions; if several were graded, the problems are the assignments, named by title. The lab
/// on Autolab must have problems with these names. The columns of the scoreboard are the total and, for each
/// part with a check of speed, the speed as a multiple of the plain loops' speed (0: not measured).

#include <stdexcept>
#include <string>

#include "grader/base/errors.h"
#include "grader/report/report.h"

namespace attn::report {

/// Throws UserError if a problem's name is empty, contains a colon, or occurs twice.
std::string to_autolab(const Report& dirty);

}  // namespace attn::report
