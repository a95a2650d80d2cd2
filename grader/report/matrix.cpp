#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/numbers.h"

namespace attn::report {
namespace {

/// The indices of an axis that are shown: first .. last - 1.
struct Range {
    int first = 0, last = 0;
};

/// At most `most` of `length` indices, with `centre` in the middle where possible.
Range around(int centre, int most, int length) {
    const int first = std::clamp(centre - most / 2, 0, std::max(0, length - most));
    return {first, std::min(length, first + most)};
}

std::string cell(double value, bool marked) {
    constexpr int kDigits = 4, kDigitsOfLarge = 7;
    constexpr double kLarge = 1000;
    return fmt::format("{:>10}{}", number_text(value, std::abs(value) >= kLarge ? kDigitsOfLarge : kDigits),
                       marked ? '*' : ' ');
}

}  // namespace

NumberBlock matrix_of(const Tensor& tensor, const std::string& title, const Window& window,
                      const std::vector<bool>& marked) {
    const std::size_t rank = tensor.shape.size();
    std::vector<int> at(rank);
    std::copy_n(window.centre.begin(), std::min(window.centre.size(), rank), at.begin());
    const auto from_the_end = [rank](const std::vector<int>& axes, std::size_t k, int otherwise) {
        return rank < k ? otherwise : axes[rank - k];
    };
    const int all_rows = from_the_end(tensor.shape, 2, 1), all_columns = from_the_end(tensor.shape, 1, 1);
    const Range rows = around(from_the_end(at, 2, 0), window.rows, all_rows);
    const Range columns = around(from_the_end(at, 1, 0), window.columns, all_columns);
    std::size_t matrix = 0;  // index of the shown matrix among all matrices of the array
    std::string place;
    for (std::size_t axis = 0; axis + 2 < rank; ++axis) {
        matrix = matrix * static_cast<std::size_t>(tensor.shape[axis]) + static_cast<std::size_t>(at[axis]);
        place += fmt::format("{}, ", at[axis]);
    }
    NumberBlock block;
    const std::string shape = fmt::format("[{}]", fmt::join(tensor.shape, ", "));
    block.lines.push_back(place.empty() ? fmt::format("{} {}", title, shape)
                                        : fmt::format("{} {}, at ({}., .)", title, shape, place));
    std::string header(5, ' ');
    for (int j = columns.first; j < columns.last; ++j) header += fmt::format("{:>10} ", j);
    block.lines.push_back(header + (columns.last < all_columns ? ".." : ""));
    if (rows.first > 0) block.lines.emplace_back("   ..");
    for (int i = rows.first; i < rows.last; ++i) {
        std::string line = rank < 2 ? std::string(5, ' ') : fmt::format("{:>4} ", i);
        for (int j = columns.first; j < columns.last; ++j) {
            const auto k = (matrix * static_cast<std::size_t>(all_rows) + static_cast<std::size_t>(i)) *
                               static_cast<std::size_t>(all_columns) +
                           static_cast<std::size_t>(j);
            line += cell(tensor.values[k], !marked.empty() && marked[k]);
        }
        block.lines.push_back(line);
    }
    if (rows.last < all_rows) block.lines.emplace_back("   ..");
    for (std::string& line : block.lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        block.width = std::max(block.width, line.size());
    }
    return block;
}

}  // namespace attn::report
