#pragma once
/// The report as people read it in a terminal.

#include <ostream>

#include "grader/report/report.h"

namespace attn::report {

struct TerminalStyle {
    bool colour = false;
    bool verbose = false;  ///< every check in full, not only the first failure of each part
};

void write_terminal(std::ostream& out, const Report& report, const TerminalStyle& style);

}  // namespace attn::report
