#include "reference/models/labelled_lines.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "datasets/shuffled.h"
#include "reference/models/language.h"

namespace attn::training {
namespace {

Lines in_tokens(const Vocabulary& vocabulary, const std::vector<std::vector<Words>>& chapters, int first,
                int end) {
    Lines lines;
    for (int c = first; c < end; ++c)
        for (const Words& words : chapters[static_cast<std::size_t>(c)])
            lines.push_back(vocabulary.tokens(words));
    return lines;
}

std::vector<Words> lines_of(const std::vector<std::vector<Words>>& chapters, int end) {
    std::vector<Words> lines;
    for (int c = 0; c < end; ++c)
        lines.insert(lines.end(), chapters[static_cast<std::size_t>(c)].begin(),
                     chapters[static_cast<std::size_t>(c)].end());
    return lines;
}

}  // namespace

Lines long_ones(const Lines& lines) {
    constexpr std::size_t kLeast = 6;
    Lines result;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(result), [](const std::vector<int>& line) {
        return line.size() >= kLeast && line.size() <= kWordsAtMost;
    });
    return result;
}

MaskedBook::MaskedBook(const std::string& text)
    : vocabulary(lines_of(chapters_of(text, kChapters), kLearnedChapters), 3) {
    const auto chapters = chapters_of(text, kChapters);
    constexpr int kHeldOut = kChapters - kHeldOutChapters;
    learned = in_tokens(vocabulary, chapters, 0, kLearnedChapters);
    between = in_tokens(vocabulary, chapters, kLearnedChapters, kHeldOut);
    held_out = in_tokens(vocabulary, chapters, kHeldOut, kChapters);
}

TensorView<const int, 2> LabelledLines::sequences(std::vector<int>& numbers,
                                                  const std::vector<int>& which) const {
    std::size_t longest = 0;
    for (const int k : which) longest = std::max(longest, lines[static_cast<std::size_t>(k)].size() + 2);
    numbers.assign(which.size() * longest, kPad);
    for (std::size_t b = 0; b < which.size(); ++b) {
        const std::vector<int>& line = lines[static_cast<std::size_t>(which[b])];
        int* const row = numbers.data() + b * longest;
        row[0] = kStart;
        std::copy(line.begin(), line.end(), row + 1);
        row[line.size() + 1] = kEnd;
    }
    return {numbers.data(), static_cast<int>(which.size()), static_cast<int>(longest)};
}

LabelledLines draw_labels(const Lines& all, int count, std::uint64_t seed) {
    const Lines lines = long_ones(all);
    if (count > static_cast<int>(lines.size()))
        throw std::invalid_argument(
            fmt::format("there are {} lines for {} labels: take fewer", lines.size(), count));
    const std::vector<int> order = data::shuffled(static_cast<int>(lines.size()), seed);
    Random random(seed, 0);
    LabelledLines drawn;
    for (int k = 0; k < count; ++k) {
        const std::vector<int>& line = lines[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])];
        drawn.labels.push_back(k % 2);
        drawn.lines.push_back(k % 2 == 1 ? line : in_disorder(line, random));
    }
    return drawn;
}

LabelledLines both_orders(const Lines& all, std::uint64_t seed) {
    Random random(seed, 0);
    LabelledLines both;
    for (const std::vector<int>& line : long_ones(all)) {
        both.lines.push_back(line);
        both.lines.push_back(in_disorder(line, random));
        both.labels.insert(both.labels.end(), {1, 0});
    }
    return both;
}

}  // namespace attn::training
