#pragma once
/// The report as a page to look at in a browser: one file that needs no other and no network.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// The page, which draws the report's JSON that stands in it.
std::string to_html(const Report& dirty);

}  // namespace attn::report
