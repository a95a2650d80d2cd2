#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "grader/report/check_description.h"
#include "grader/report/numbers.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

constexpr std::size_t kLongestWord = 12, kNumber = 5;

std::vector<std::string> short_words(std::vector<std::string> words) {
    for (std::string& word : words) word = shortened(word, kLongestWord);
    return words;
}

std::size_t widest(const std::vector<std::string>& words) {
    std::size_t width = 0;
    for (const std::string& word : words) width = std::max(width, columns_of(word));
    return width;
}

std::string at_the_right(const std::string& word, std::size_t width) {
    const std::size_t own = columns_of(word);
    return std::string(own < width ? width - own : 0, ' ') + word;
}

/// The numbers with words along the sides.
NumberBlock table_of(const Picture& picture, const Tensor& matrix, const std::string& whose) {
    const auto rows = short_words(picture.row_words), columns = short_words(picture.column_words);
    const std::size_t left = widest(rows) + 2, width = std::max(widest(columns), kNumber) + 1;
    std::string place;
    for (const int index : picture.slice) place += fmt::format("{}, ", index);
    NumberBlock block{{fmt::format("{}({}., .) {}", picture.array, place, whose), std::string(left, ' ')}, 0};
    for (const std::string& word : columns) block.lines.back() += at_the_right(word, width);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::string line = at_the_right(rows[i], left);
        for (std::size_t j = 0; j < columns.size(); ++j)
            line += at_the_right(fmt::format("{:.3f}", matrix.values.at(i * columns.size() + j)), width);
        block.lines.push_back(std::move(line));
    }
    for (const std::string& line : block.lines) block.width = std::max(block.width, columns_of(line));
    return block;
}

bool is_table(const Picture& picture) {
    return picture.map.rows == 0 && !picture.row_words.empty() && !picture.column_words.empty();
}

}  // namespace

std::string drawing_text(const Check& check, std::size_t width) {
    std::string text;
    for (const Picture& picture : check.pictures) {
        if (!picture.sentences.empty()) text += '\n';
        for (const std::string& sentence : picture.sentences) text += wrapped(sentence, width) + '\n';
        if (!is_table(picture)) continue;
        std::vector<NumberBlock> blocks = {table_of(picture, picture.yours, "yours")};
        if (picture.yours.values != picture.expected.values)
            blocks.push_back(table_of(picture, picture.expected, "expected"));
        text += '\n' + side_by_side(blocks, width);
    }
    return text;
}

}  // namespace attn::report
