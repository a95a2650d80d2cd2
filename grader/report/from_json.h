#pragma once
/// Reports read again from what to_json wrote.

#include <stdexcept>
#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// No report, or one of another version: says what was found, and how to get one.
class NoReport : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The report in `text`. null stands for a number that was none: it is NaN here. Throws NoReport.
Report from_json(const std::string& text);

}  // namespace attn::report
