#include "grader/judge/locate.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace attn::judge {
namespace {

/// The word for an index of this axis: the last axis is a column, the one before a row, the first one a batch.
/// One between them is a head, a step of L or, in an image, a channel.
std::string axis_word(std::size_t axis, std::size_t rank, const std::vector<std::string>& dims) {
    if (std::string word = word_in_grid(axis, dims); !word.empty()) return word;
    if (axis + 1 == rank) return rank == 1 ? "element" : "column";
    if (axis + 2 == rank) return "row";
    if (axis == 0) return "batch";
    const std::string letter = axis < dims.size() ? dims[axis] : "";
    return letter == "C" ? "channel" : letter == "L" ? "step" : "head";
}

std::string plural(const std::string& word) {
    return word + (word.ends_with("ch") ? "es" : "s");
}

/// A note on a remainder after whole blocks. The elements from `first` on are probably such a remainder if
/// `first` is a multiple of a power of two, at least 8, and fewer elements than that follow.
std::string tile(int first, int length) {
    constexpr int kLeastBlock = 8;
    const int block = first & -first;  // the largest power of two that divides it
    return block >= kLeastBlock && length - first < block
               ? " (after whole blocks of " + std::to_string(block) + ")"
               : "";
}

/// "row 3", "rows >= 32", "rows 2 to 5", "11 of 12 rows"
std::string rows_in_words(const std::set<int>& indices, int length, const std::string& word) {
    const int first = *indices.begin(), last = *indices.rbegin(), count = static_cast<int>(indices.size());
    if (count == 1)
        return word + " " + std::to_string(first) + (first == length - 1 && length > 2 ? " (the last)" : "");
    const bool contiguous = last - first + 1 == count;
    if (contiguous && last == length - 1)
        return plural(word) + " >= " + std::to_string(first) + tile(first, length);
    if (contiguous && first == 0) return plural(word) + " < " + std::to_string(last + 1);
    if (contiguous) return plural(word) + " " + std::to_string(first) + " to " + std::to_string(last);
    const bool every_other =
        last - first == 2 * (count - 1) &&
        std::all_of(indices.begin(), indices.end(), [&](int k) { return k % 2 == first % 2; }) && first < 2 &&
        last >= length - 2;
    if (every_other && count > 2) return std::string(first == 0 ? "even " : "odd ") + plural(word);
    return std::to_string(count) + " of " + std::to_string(length) + " " + plural(word);
}

bool is_counted(const std::string& text) {
    return text.front() >= '0' && text.front() <= '9';
}

/// The same. The handouts number the steps of a decoder from 1 on, an array its rows from 0.
std::string describe(const std::set<int>& indices, int length, const std::string& word) {
    const std::string text = rows_in_words(indices, length, word);
    return word == "step" && !is_counted(text) ? text + " (counted from 0)" : text;
}

}  // namespace

std::vector<int> index_of(std::size_t offset, const Shape& shape) {
    std::vector<int> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = static_cast<int>(offset % static_cast<std::size_t>(shape[axis]));
        offset /= static_cast<std::size_t>(shape[axis]);
    }
    return index;
}

std::string word_in_grid(std::size_t axis, const std::vector<std::string>& dims) {
    constexpr std::size_t kRank = 4;
    if (dims.size() != kRank || axis == 0) return "";
    const auto has = [&](std::size_t which, char letter) {
        return dims[which].find(letter) != std::string::npos;
    };
    constexpr const char *kWindows[] = {"window", "cell", "feature"}, *kGrid[] = {"row", "column", "feature"};
    if (dims[2] == "M*M") return kWindows[axis - 1];
    return has(1, 'R') || (has(1, 'H') && has(2, 'W')) ? kGrid[axis - 1] : "";
}

std::string locate(const std::vector<bool>& marked, const Shape& shape,
                   const std::vector<std::string>& dims) {
    const std::size_t rank = shape.size();
    std::vector<std::set<int>> touched(rank);
    std::set<std::size_t> rows;
    std::size_t count = 0;
    for (std::size_t k = 0; k < marked.size(); ++k) {
        if (!marked[k]) continue;
        ++count;
        const auto index = index_of(k, shape);
        for (std::size_t axis = 0; axis < rank; ++axis) touched[axis].insert(index[axis]);
        if (rank > 1) rows.insert(k / static_cast<std::size_t>(shape.back()));
    }
    if (count == 0) return "no element";
    if (count == marked.size()) return count == 1 ? "its one element" : "every element";

    if (count == 1) {
        const auto only =
            static_cast<std::size_t>(std::find(marked.begin(), marked.end(), true) - marked.begin());
        const auto index = index_of(only, shape);
        return "element " + attn::detail::join(index.data(), static_cast<int>(rank), '(', ')') + " only";
    }
    const std::size_t box = std::accumulate(touched.begin(), touched.end(), std::size_t{1},
                                            [](std::size_t n, const auto& set) { return n * set.size(); });
    std::string text;
    if (box == count) {
        for (std::size_t axis = rank; axis-- > 0;) {
            if (touched[axis].size() == static_cast<std::size_t>(shape[axis])) continue;
            const std::string part = describe(touched[axis], shape[axis], axis_word(axis, rank, dims));
            // "column 1 in 2 of 6 rows"
            text += (text.empty() ? "" : is_counted(part) ? " in " : ", ") + part;
        }
        return is_counted(text) ? text : text + " only";  // "98 of 104 elements" says it
    }
    const std::size_t row_count = rank > 1 ? marked.size() / static_cast<std::size_t>(shape.back()) : 1;
    std::string in_rows = std::to_string(rows.size()) + " of " + std::to_string(row_count) +
                          (word_in_grid(1, dims).empty() ? " rows" : " cells");
    if (rank > 1 && rows.size() * static_cast<std::size_t>(shape.back()) == count) return in_rows;
    text = std::to_string(count) + " of " + std::to_string(marked.size()) + " elements";
    return rank > 1 && rows.size() < row_count ? text + ", in " + in_rows : text;
}

}  // namespace attn::judge
