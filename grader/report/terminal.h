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

/// A tensor as rows of numbers, its name in front of the first; batches apart.
void print_tensor(std::ostream& out, const Tensor& tensor);

}  // namespace attn::report
