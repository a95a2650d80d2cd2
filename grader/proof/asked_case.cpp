#include "grader/proof/asked_case.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <utility>

#include "grader/ask/inputs.h"
#include "grader/judge/in_process.h"

namespace attn::proof {

AskedCase::AskedCase(judge::Question question)
    : question_(std::move(question)),
      inputs_(question_.make_inputs()),
      refused_(!question_.refusal().empty()),
      call_(*question_.function, inputs_, ask::Precision::f32, kMostSteps) {
    if (refused_ || is_too_long()) return;
    truth_ = evaluate(*question_.function, inputs_, ask::Precision::f64);
    question_.wanted.clear();
    constexpr int kEvaluations = 8;
    units_ = units_of(question_, inputs_, kEvaluations);
}

std::size_t AskedCase::work() const {
    return std::accumulate(inputs_.begin(), inputs_.end(), std::size_t{0},
                           [](std::size_t sum, const Array& input) { return sum + input.count(); });
}

AskedCase::Answer AskedCase::ask(const edits::EditedFunctions& edited) {
    const Arrays* const outputs = call_.outputs(edited.replacements());
    // A refusal cannot be told from a crash here. So only numbers are wrong where a refusal is right.
    if (refused_) return outputs == nullptr ? Answer::right : Answer::wrong;
    if (outputs == nullptr) return Answer::none;
    for (std::size_t k = 0; k < truth_.size(); ++k)
        if (!judge::compare((*outputs)[k], truth_[k], units_[k], question_.allowed_yardsticks).ok)
            return Answer::wrong;
    return Answer::right;
}

std::unique_ptr<AskedCase> asked_or_none(const judge::Question& question) {
    try {
        if (!question.refusal().empty()) return nullptr;
        const Arrays truth = evaluate(*question.function, question.make_inputs(), ask::Precision::f64);
        if (!std::ranges::all_of(truth, ask::all_finite)) return nullptr;
        return std::make_unique<AskedCase>(question);
    } catch (const std::exception&) {
        return nullptr;
    }
}

}  // namespace attn::proof
