#pragma once
/// The report as a page for a browser: a single file that needs no network.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// The page. It contains the report's JSON and draws it with JavaScript.
std::string to_html(const Report& dirty);

}  // namespace attn::report
