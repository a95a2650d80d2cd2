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
    std::size_t width = 110;  ///< columns at which sentences are wrapped
};

/// One assignment: a line for each check and, for each part, the most informative failure in full. Several
/// assignments: a line for each part, a mark for each check, and failures in short.
void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style);

}  // namespace attn::report
