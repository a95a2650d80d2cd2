#pragma once
/// The last lines that Autolab reads of an autograder's standard output.
///
/// Two lines: what became of each check, for its formatted feedback, and then
/// {"scores": {..}, "scoreboard": [..]}. Problems are the parts, by their function's name, where one
/// assignment was graded, and the assignments, by their title, where several were: the lab on Autolab has to
/// have problems of these names. The scoreboard's columns are the total and, for each part that has a check
/// of speed, its speed as a multiple of the plain loops' (0: not measured).

#include <stdexcept>
#include <string>

#include "grader/base/errors.h"
#include "grader/report/report.h"

namespace attn::report {

/// Throws UserError.
std::string to_autolab(const Report& dirty);

}  // namespace attn::report
