#pragma once
/// The report as people read it in a terminal.

#include <cstddef>
#include <ostream>

#include "grader/report/report.h"

namespace attn::report {

struct TerminalStyle {
    bool colour = false;
    bool verbose = false;     ///< every check in full, not only the first failure of each part
    bool quiet = false;       ///< points, and what to do next
    std::size_t width = 110;  ///< columns; sentences are broken there
};

/// One assignment with a line for each check and the most telling failure of each part in full; several with
/// a line for each part, a mark for each check, and in short what is wrong.
void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style);

}  // namespace attn::report
