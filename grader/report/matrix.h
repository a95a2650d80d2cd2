#pragma once
/// A matrix of a larger array as text, with indices along its sides and wrong elements marked.

#include <string>
#include <vector>

#include "grader/report/numbers.h"
#include "grader/report/report.h"

namespace attn::report {

/// The part of an array that is shown: of the matrix (last two axes) that contains the element `centre`, up
/// to `rows` rows and `columns` columns around that element.
struct Window {
    std::vector<int> centre;  ///< an index into the array; missing axes are 0
    int rows = 10, columns = 8;
};

/// The lines: "Y yours [2, 5, 3], at (1, ., .)", the column indices, then each row after its index. Marked
/// elements are followed by "*"; ".." stands for rows and columns that are not shown. `marked` has one entry
/// per element, or is empty.
NumberBlock matrix_of(const Tensor& tensor, const std::string& title, const Window& window,
                      const std::vector<bool>& marked = {});

}  // namespace attn::report
