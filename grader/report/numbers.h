#pragma once
/// Arrays of numbers as text.

#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::report {

/// A number with so many digits. The signs of a NaN and of 0 have no meaning, so they are left out.
std::string number_text(double value, int digits);

/// Lines of text that can be printed next to other blocks.
struct NumberBlock {
    std::vector<std::string> lines;
    std::size_t width = 0;
};

/// A tensor as rows of numbers with `digits` digits (7 if any number is 1000 or more). `name` stands before
/// the first row; an empty line separates matrices. A row that takes more than `room` columns goes on in the
/// next line.
NumberBlock block_of(const Tensor& tensor, const std::string& name, int digits = 4,
                     std::size_t room = std::string::npos);

/// The same in columns that are as narrow as the numbers allow.
NumberBlock narrow_block_of(const Tensor& tensor, const std::string& name, int digits = 4,
                            std::size_t room = std::string::npos);

/// The columns that blocks may take in a terminal: its width minus the indentation.
std::size_t room_for_blocks(std::size_t width);

/// The number of digits, at least `least` and at most 9, with which two tensors are printed so that their
/// largest difference can be seen: two digits of it.
int digits_that_differ(const Tensor& a, const Tensor& b, int least = 4);

/// The number of digits, at least `least`, with which all numbers of an input can be typed in as they are. `least` if any has
/// more than 6.
int digits_to_type_in(const Tensor& input, int least = 4);

/// The same as digits_that_differ() for two numbers.
int digits_that_differ(double a, double b, int least);

/// Prints blocks next to each other, as many in a row as fit into the terminal's width minus the indentation.
std::string side_by_side(const std::vector<NumberBlock>& blocks, std::size_t width = 110);

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
