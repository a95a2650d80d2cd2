#include "grader/diagnosis/shrink.h"

#include <algorithm>

namespace attn::diagnosis {
namespace {

constexpr int kSmall = 3;

/// The number of elements of all inputs and outputs.
std::size_t weight(const ask::Function& function, const ask::Sizes& sizes) {
    std::size_t total = 0;
    for (const auto* tensors : {&function.inputs, &function.outputs})
        for (const ask::TensorSpec& tensor : *tensors) total += element_count(ask::shape_of(tensor, sizes));
    return total;
}

/// All combinations of lengths 1, 2 and 3 for the letters (with many letters only 1 and 2), but no length
/// larger than in `from`. Those with the fewest numbers come first.
std::vector<ask::Sizes> small_sizes(const ask::Function& function, const ask::Sizes& from) {
    constexpr std::size_t kFewLetters = 7;
    const int small_most = from.size() > kFewLetters ? 2 : kSmall;
    std::vector<ask::Sizes> all{{}};
    for (const auto& [letter, length] : from) {
        std::vector<ask::Sizes> longer;
        for (const ask::Sizes& sizes : all) {
            for (int small = 1; small <= std::min(length, small_most); ++small) {
                longer.push_back(sizes);
                longer.back()[letter] = small;
            }
        }
        all = std::move(longer);
    }
    std::erase_if(all, [&function](const ask::Sizes& sizes) { return !function.refusal(sizes).empty(); });
    std::vector<std::pair<std::size_t, ask::Sizes>> weighed;
    for (ask::Sizes& sizes : all) weighed.emplace_back(weight(function, sizes), std::move(sizes));
    std::stable_sort(weighed.begin(), weighed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(weighed.begin(), weighed.end(), all.begin(),
                   [](auto& pair) { return std::move(pair.second); });
    return all;
}

}  // namespace

std::optional<Shrunk> shrink(const judge::Question& question, const judge::CallFunction& call,
                             const StillFails& still_fails, int most_questions) {
    if (!question.recipe->fixed.empty()) return std::nullopt;
    std::optional<Shrunk> best;
    const auto fails_at = [&](const ask::Sizes& sizes) {
        if (!question.function->refusal(sizes).empty() || most_questions-- <= 0) return false;
        judge::Question smaller = question;
        smaller.sizes = sizes;
        std::optional<judge::Verdict> verdict = answer_if_decided(smaller, call);
        if (!verdict || !still_fails(smaller, *verdict)) return false;
        best = Shrunk{std::move(smaller), std::move(*verdict)};
        return true;
    };
    for (const ask::Sizes& sizes : small_sizes(*question.function, question.sizes))
        if (sizes != question.sizes && fails_at(sizes)) return best;
    ask::Sizes sizes = question.sizes;
    for (auto& [letter, length] : sizes) {
        // Bisects for the smallest length that fails. This assumes that all larger lengths fail, too.
        int passes = 0;
        while (length - passes > 1) {
            const int fails = length;
            length = passes + (length - passes) / 2;
            if (!fails_at(sizes)) passes = std::exchange(length, fails);
        }
    }
    return best;
}

}  // namespace attn::diagnosis
