#pragma once
/// Writes the report as text for a terminal.

#include <cstddef>
#include <ostream>

#include "grader/report/report.h"

namespace attn::report {

struct TerminalStyle {
    bool colour = false;
    bool verbose = false;     ///< every failed check in full, not one for each part
    bool quiet = false;       ///< only the points and the next step
    bool isolation = false;   ///< a line about the sandbox; a verbose report has it in any case
    std::size_t width = 110;  ///< columns at which sentences are wrapped
};

/// One assignment: a line for each check that failed and, for each finding (see findings.h), the check that
/// tells most in full. Several assignments: a line for each part, and failures in short. What is perfect or
/// not begun takes one line. At the end: the total, all findings with their cost, and the next command.
void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style);

}  // namespace attn::report
