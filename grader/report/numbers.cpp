#include "grader/report/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace attn::report {

namespace {

/// Similar large numbers differ only in their last digits, so they get more digits.
int digits_for(const Tensor& tensor, int digits) {
    constexpr double kLarge = 1000;
    const bool large = std::any_of(tensor.values.begin(), tensor.values.end(),
                                   [](double x) { return std::isfinite(x) && std::abs(x) >= kLarge; });
    return large ? std::max(digits, 7) : digits;
}

NumberBlock block_with(const Tensor& tensor, const std::string& name, int digits, std::size_t column,
                       std::size_t room) {
    NumberBlock block;
    const std::size_t columns = tensor.shape.empty() ? 1 : static_cast<std::size_t>(tensor.shape.back());
    const std::size_t rows = tensor.shape.size() < 2 ? 1 : static_cast<std::size_t>(tensor.shape.end()[-2]);
    for (std::size_t k = 0; k < tensor.values.size(); k += columns) {
        if (k > 0 && (k / columns) % rows == 0) block.lines.emplace_back();
        std::string line = k == 0 ? name : std::string(name.size(), ' ');
        const auto add_line = [&] {
            block.width = std::max(block.width, line.size());
            block.lines.push_back(std::exchange(line, std::string(name.size() + 2, ' ')));
        };
        for (std::size_t j = 0; j < columns; ++j) {
            const std::string number =
                fmt::format(" {:>{}}", number_text(tensor.values[k + j], digits), column);
            if (j > 0 && line.size() + number.size() > room) add_line();
            line += number;
        }
        add_line();
    }
    return block;
}

}  // namespace

std::string number_text(double value, int digits) {
    return fmt::format("{:.{}g}", std::isnan(value) || value == 0 ? std::abs(value) : value, digits);
}

NumberBlock block_of(const Tensor& tensor, const std::string& name, int digits, std::size_t room) {
    const int shown = digits_for(tensor, digits);
    return block_with(tensor, name, shown, static_cast<std::size_t>(shown) + 5, room);
}

NumberBlock narrow_block_of(const Tensor& tensor, const std::string& name, int digits, std::size_t room) {
    const int shown = digits_for(tensor, digits);
    std::size_t longest = 0;
    for (const double value : tensor.values) longest = std::max(longest, number_text(value, shown).size());
    return block_with(tensor, name, shown, longest + 1, room);
}

int digits_that_differ(double a, double b, int least) {
    constexpr int kMost = 9;  // so many digits tell all numbers of type float apart
    const double difference = std::abs(a - b), size = std::max(std::abs(a), std::abs(b));
    if (!std::isfinite(difference) || difference == 0) return least;
    return std::clamp(static_cast<int>(std::ceil(std::log10(size / difference))) + 2, least, kMost);
}

int digits_that_differ(const Tensor& a, const Tensor& b, int least) {
    double largest = 0;
    int digits = least;
    for (std::size_t k = 0; k < std::min(a.values.size(), b.values.size()); ++k) {
        const double difference = std::abs(a.values[k] - b.values[k]);
        if (!(difference > largest) || std::isinf(difference)) continue;
        largest = difference;
        digits = digits_that_differ(a.values[k], b.values[k], least);
    }
    return digits;
}

int digits_to_type_in(const Tensor& input, int least) {
    constexpr int kMost = 6;
    for (int digits = least; digits <= kMost; ++digits)
        if (std::ranges::all_of(input.values, [digits](double value) {
                return !std::isfinite(value) ||
                       std::strtof(number_text(value, digits).c_str(), nullptr) == static_cast<float>(value);
            }))
            return digits;
    return least;
}

std::size_t room_for_blocks(std::size_t width) {
    constexpr std::size_t kIndented = 14;
    return width - std::min(width, kIndented);
}

std::string side_by_side(const std::vector<NumberBlock>& blocks, std::size_t width_of_all) {
    constexpr std::size_t kGap = 4;
    const std::size_t room = room_for_blocks(width_of_all);
    std::string text;
    for (std::size_t first = 0, next = 0; first < blocks.size(); first = next) {
        std::size_t width = 0, height = 0;
        for (; next < blocks.size() && (next == first || width + blocks[next].width <= room); ++next) {
            width += blocks[next].width + kGap;
            height = std::max(height, blocks[next].lines.size());
        }
        for (std::size_t row = 0; row < height; ++row) {
            std::string line;
            for (std::size_t k = first; k < next; ++k) {
                const auto& lines = blocks[k].lines;
                line += fmt::format("{:<{}}", row < lines.size() ? lines[row] : "", blocks[k].width + kGap);
            }
            text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        }
    }
    return text;
}

}  // namespace attn::report
