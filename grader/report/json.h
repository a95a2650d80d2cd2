#pragma once
/// The whole report as JSON. NaN and infinity are written as null.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// Indented, with a final line feed.
std::string to_json(const Report& dirty);

}  // namespace attn::report
