#include "grader/diagnosis/shrink.h"

#include <algorithm>
#include <utility>

#include "grader/ask/laws.h"
#include "grader/ask/least_lengths.h"

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

/// All combinations of lengths 1, 2 and 3 for the letters (with many letters only 1 and 2; from its least length on for
/// a letter that has one), but no length larger than in `from`. Those with the fewest numbers come first.
std::vector<ask::Sizes> small_sizes(const ask::Function& function, const ask::Sizes& from) {
    constexpr std::size_t kFewLetters = 7;
    const int small_most = from.size() > kFewLetters ? 2 : kSmall;
    std::vector<ask::Sizes> all{{}};
    for (const auto& [letter, length] : from) {
        std::vector<ask::Sizes> longer;
        for (const ask::Sizes& sizes : all) {
            const int least = ask::least_length(function, letter);
            for (int small = least; small <= std::min(length, least - 1 + small_most); ++small) {
                longer.push_back(sizes);
                longer.back()[letter] = small;
            }
        }
        all = std::move(longer);
    }
    std::erase_if(all, [&function](const ask::Sizes& sizes) { return !ask::accepts(function, sizes); });
    std::vector<std::pair<std::size_t, ask::Sizes>> weighed;
    for (ask::Sizes& sizes : all) weighed.emplace_back(weight(function, sizes), std::move(sizes));
    std::stable_sort(weighed.begin(), weighed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(weighed.begin(), weighed.end(), all.begin(),
                   [](auto& pair) { return std::move(pair.second); });
    return all;
}

/// The same call with the indices [first, last) of a letter alone. Nothing if a shape follows otherwise from the letter.
std::optional<judge::Question> cut(const Shrunk& from, const std::string& letter, int first, int last) {
    judge::Question smaller = from.question;
    smaller.sizes[letter] = last - first;
    smaller.given = from.verdict.inputs;
    bool any = false;
    for (const ask::TensorSpec& spec : smaller.function->inputs) {
        const auto input = std::ranges::find(smaller.given, spec.name, &Array::name);
        if (input == smaller.given.end() || input->count() == 0) continue;
        for (std::size_t axis = 0; axis < spec.dims.size(); ++axis)
            if (spec.dims[axis] == letter) {
                *input = ask::slices(*input, static_cast<int>(axis), first, last - first);
                any = true;
            }
        if (input->shape != shape_of(spec, smaller.sizes)) return std::nullopt;
    }
    if (smaller.recipe->consistent) smaller.given = smaller.recipe->consistent(std::move(smaller.given));
    return any && smaller.is_accepted() ? std::optional(std::move(smaller)) : std::nullopt;
}

}  // namespace

std::optional<Shrunk> shrink(const judge::Question& question, const judge::CallFunction& call,
                             const StillFails& still_fails, int most_questions) {
    if (!question.recipe->fixed.empty()) return std::nullopt;
    std::optional<Shrunk> best;
    const auto fails = [&](judge::Question smaller) {
        if (most_questions-- <= 0) return false;
        std::optional<judge::Verdict> verdict = answer_if_decided(smaller, call);
        if (!verdict || !still_fails(smaller, *verdict)) return false;
        best = Shrunk{std::move(smaller), std::move(*verdict)};
        return true;
    };
    const auto fails_at = [&](const ask::Sizes& sizes) {
        if (!ask::accepts(*question.function, sizes)) return false;
        judge::Question smaller = question;
        smaller.sizes = sizes;
        return fails(std::move(smaller));
    };
    for (const ask::Sizes& sizes : small_sizes(*question.function, question.sizes))
        if (sizes != question.sizes && fails_at(sizes)) return best;
    ask::Sizes sizes = question.sizes;
    for (auto& [letter, length] : sizes) {
        // Bisects for the smallest length that fails. This assumes that all larger lengths fail, too.
        int passes = 0;
        while (length - passes > 1) {
            const int failing = length;
            length = passes + (length - passes) / 2;
            if (!fails_at(sizes)) passes = std::exchange(length, failing);
        }
    }
    if (!best) return best;
    const auto fails_between = [&](const std::string& letter, int first, int last) {
        std::optional<judge::Question> smaller = cut(*best, letter, first, last);
        return smaller && fails(std::move(*smaller));
    };
    for (const auto& [letter, ignored] : sizes) {
        // Halves first, then one index less at either end.
        const auto length = [&, &name = letter] { return best->question.sizes.at(name); };
        while (length() > 1 &&
               (fails_between(letter, 0, length() / 2) || fails_between(letter, length() / 2, length()))) {
        }
        while (length() > 1 &&
               (fails_between(letter, 1, length()) || fails_between(letter, 0, length() - 1))) {
        }
    }
    return best;
}

}  // namespace attn::diagnosis
