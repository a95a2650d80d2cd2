#pragma once
/// The book's lines in tokens, and lines with labels: which stand as they are in the book, and which have their words in disorder?

#include <cstdint>
#include <string>
#include <vector>

#include "assignments/tensor.h"
#include "reference/models/book_lines.h"

namespace attn::training {

/// The chapters to learn from, and those that are held out. The one between them is for choosing settings.
inline constexpr int kLearnedChapters = 9, kHeldOutChapters = 2, kChapters = 12;

/// Tokens of a sequence at most: <s>, the words, </s>.
inline constexpr int kMostTokens = 24, kWordsAtMost = kMostTokens - 2;

/// Lines of the book in tokens.
using Lines = std::vector<std::vector<int>>;

/// Those that are long enough to have an order, and that fit.
Lines long_ones(const Lines& lines);

/// The book in tokens.
struct MaskedBook {
    explicit MaskedBook(const std::string& text);

    Vocabulary vocabulary;
    /// The lines of chapters I to IX, of X, and of XI and XII.
    Lines learned, between, held_out;
};

/// Lines with labels: 1 as it stands in the book, 0 in disorder. All have 6 words or more.
struct LabelledLines {
    Lines lines;
    std::vector<int> labels;

    int count() const { return static_cast<int>(labels.size()); }
    /// <s> line </s> <pad> ..      [number, kMostTokens at most]
    TensorView<const int, 2> sequences(std::vector<int>& numbers, const std::vector<int>& which) const;
};

/// `count` of them, half of them in disorder, drawn with a seed. Throws std::invalid_argument if there are too few.
LabelledLines draw_labels(const Lines& all, int count, std::uint64_t seed);
/// Each line twice: as it is, and in disorder.
LabelledLines both_orders(const Lines& all, std::uint64_t seed);

}  // namespace attn::training
