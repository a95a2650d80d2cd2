#include "grader/diagnosis/smallest_case.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grader/ask/edited.h"
#include "grader/diagnosis/diagnose.h"
#include "grader/diagnosis/simplify_values.h"
#include "grader/judge/locate.h"

namespace attn::diagnosis {
namespace {

report::Tensor shown(const Array& array) {
    const Array numbers = array.cast<double>();
    return {array.name, array.shape, numbers.as<double>()};
}

std::vector<report::Tensor> shown(const Arrays& arrays) {
    std::vector<report::Tensor> tensors;
    for (const Array& array : arrays)
        if (!array.shape.empty()) tensors.push_back(shown(array));  // options are in the text
    return tensors;
}

bool is_printable(const judge::Verdict& verdict) {
    constexpr std::size_t kPrintable = 160;
    std::size_t numbers = 0;
    for (const auto* arrays : {&verdict.inputs, &verdict.got})
        for (const Array& array : *arrays) numbers += array.count();
    return numbers <= kPrintable;
}

/// A smallest case should show an error at least this large. If only the fifth digit differs, it teaches
/// nothing.
constexpr double kClearError = 0.02;
/// The largest error in units of the largest expected number.
double relative_error(const judge::Verdict& verdict) {
    if (verdict.comparison.not_finite != 0) return std::numeric_limits<double>::infinity();
    if (verdict.got.empty()) return 0;
    const Array &truth = verdict.truth_f64[verdict.output], &got = verdict.got[verdict.output];
    double error = 0, largest = std::numeric_limits<double>::min();
    for (std::size_t k = 0; k < truth.count(); ++k) {
        error = std::max(error, std::abs(number_at(got, k) - number_at(truth, k)));
        largest = std::max(largest, std::abs(number_at(truth, k)));
    }
    return error / largest;
}

/// Whether these mistakes explain an answer and no single one of them does.
bool shows_all_of(const std::vector<int>& made, const judge::Question& question,
                  const judge::Verdict& verdict) {
    if (explains(question, verdict, made) != Explains::yes) return false;
    return made.size() == 1 || std::none_of(made.begin(), made.end(), [&](const int one) {
               return explains(question, verdict, {&one, 1}) == Explains::yes;
           });
}

}  // namespace

StillFails must_show(const judge::Verdict& verdict, const std::vector<Made>& named) {
    const double clear = std::min(kClearError, relative_error(verdict));
    return [&verdict, &named, clear](const judge::Question& smaller, const judge::Verdict& other) {
        return other.outcome == verdict.outcome && relative_error(other) >= clear &&
               std::ranges::all_of(named,
                                   [&](const Made& made) { return shows_all_of(made, smaller, other); });
    };
}

Shrunk with_simple_values(Shrunk shrunk, const std::vector<Made>& named, const FoundEdits& found,
                          const judge::CallFunction& call) {
    if (!is_printable(shrunk.verdict)) return shrunk;
    const judge::Verdict before = shrunk.verdict;
    const StillFails clear = must_show(before, named);
    const bool by_edits = !found.all.empty();
    const StillFails still_fails = [&](const judge::Question& question, const judge::Verdict& verdict) {
        return clear(question, verdict) && (!by_edits || explained_by(found, {&question, &verdict}));
    };
    return simplify_values(std::move(shrunk), call, still_fails, !named.empty() || by_edits);
}

report::SmallestCase smallest_of(const Shrunk& shrunk) {
    report::SmallestCase smallest;
    smallest.sizes = shrunk.question.setting_in_words(true);
    if (!is_printable(shrunk.verdict)) return smallest;
    smallest.inputs = shown(shrunk.verdict.inputs);
    smallest.yours = shown(shrunk.verdict.got);
    smallest.expected = shown(shrunk.verdict.truth_f64);
    for (std::size_t k = 0; k < smallest.yours.size(); ++k) {
        const std::vector<bool> wrong = compared({&shrunk.question, &shrunk.verdict}, k).wrong;
        smallest.wrong.push_back(
            {smallest.yours[k].name, smallest.yours[k].shape, {wrong.begin(), wrong.end()}});
    }
    constexpr std::size_t kMostIntermediates = 96;
    smallest.intermediates =
        shown(ask::intermediates(*shrunk.question.function, shrunk.verdict.inputs, kMostIntermediates));
    smallest.printed = shrunk.verdict.printed;
    return smallest;
}

}  // namespace attn::diagnosis
