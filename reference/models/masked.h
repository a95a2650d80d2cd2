#pragma once
/// Pretraining and fine-tuning: a masked language model of the book's words learns from few labels which lines stand as they are
/// in the book, and which have their words in disorder. The other model does so from weights that have learned nothing.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reference/models/book_lines.h"
#include "reference/models/masked_language.h"
#include "reference/models/training_loop.h"

namespace attn::training {

/// The chapters to learn from, and those that are held out. The one between them is for choosing settings.
inline constexpr int kLearnedChapters = 9, kHeldOutChapters = 2, kChapters = 12;

/// Tokens of a sequence at most: <s>, the words, </s>.
inline constexpr int kMostTokens = 24;

/// The book in tokens.
struct MaskedBook {
    explicit MaskedBook(const std::string& text);

    Vocabulary vocabulary;
    /// The lines of chapters I to IX, of X, and of XI and XII.
    std::vector<std::vector<int>> learned, between, held_out;
};

/// Lines with labels: 1 as it stands in the book, 0 in disorder. All have 6 words or more.
struct LabelledLines {
    std::vector<std::vector<int>> lines;
    std::vector<int> labels;

    int count() const { return static_cast<int>(labels.size()); }
    /// <s> line </s> <pad> ..      [number, kMostTokens at most]
    TensorView<const int, 2> sequences(std::vector<int>& numbers, const std::vector<int>& which) const;
};

/// `count` of the lines, half of them in disorder, drawn with a seed. Throws std::invalid_argument if there are too few.
LabelledLines draw_labels(const std::vector<std::vector<int>>& lines, int count, std::uint64_t seed);
/// Each of the lines twice: as it is, and in disorder.
LabelledLines both_orders(const std::vector<std::vector<int>>& lines, std::uint64_t seed);

/// What is trained, and for how long.
struct MaskedPlan {
    StackSizes sizes = {2, 64, 4, 256};
    int steps = 3000, batch = 64;
    float rate = 0.004F;
    float share = 0.3F;  ///< of the words that are hidden in training
    std::vector<int> labels = {50, 200, 800};
    int draws = 3;
    int tuning_steps = 100;
    /// The largest learning rates of fine-tuning: after pretraining, and without it.
    float tuned_rate = 0.001F, new_rate = 0.001F;
};

/// Throws std::invalid_argument if the text has too few chapters.
std::unique_ptr<Task> masked_by_plan(const MaskedPlan& plan, const std::string& text);

}  // namespace attn::training
