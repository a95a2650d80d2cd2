#pragma once
/// Arrays of numbers as text.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// Lines of text that can be printed beside others.
struct NumberBlock {
    std::vector<std::string> lines;
    std::size_t width = 0;
};

/// A tensor as rows of numbers of so many digits (more where they are large), `name` in front of the first;
/// an empty line between batches.
NumberBlock block_of(const Tensor& tensor, const std::string& name, int digits = 4);

/// Blocks beside each other, as many in a row as fit into the width of a terminal less an indentation.
std::string side_by_side(const std::vector<NumberBlock>& blocks, std::size_t width = 110);

}  // namespace attn::report
