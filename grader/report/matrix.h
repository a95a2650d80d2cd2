#pragma once
/// A matrix out of a larger array, for people: indices along its sides, what is wrong marked.

#include <string>
#include <vector>

#include "grader/report/numbers.h"
#include "grader/report/report.h"

namespace attn::report {

/// What of an array is shown: the matrix of its last two axes that holds the element `centre`, and of that as
/// many rows and columns around the element as given.
struct Window {
    std::vector<int> centre;  ///< an index into the array; missing axes are 0
    int rows = 10, columns = 8;
};

/// "Y yours [2, 5, 3], there (1, ., .)", the columns' indices, then each row behind its index, marked
/// elements with a "*" behind them. `marked`: element by element, or empty. What is cut off shows as "..".
NumberBlock matrix_of(const Tensor& tensor, const std::string& title, const Window& window,
                      const std::vector<bool>& marked = {});

}  // namespace attn::report
