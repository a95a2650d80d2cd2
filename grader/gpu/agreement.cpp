#include "grader/gpu/agreement.h"

#include <algorithm>

#include <fmt/format.h>

namespace attn::gpu {
namespace {

using judge::Question;
using judge::Verdict;

double worst_error(const Question& question, const Verdict& verdict) {
    double worst = 0;
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        worst = std::max(worst, judge::compare(verdict.got[k], verdict.truth_f64[k], verdict.units[k],
                                               question.allowed_yardsticks)
                                    .error_yardsticks);
    }
    return worst;
}

std::string reason(const Question& question, const Verdict& verdict) {
    if (!verdict.message.empty() || verdict.got.empty()) return verdict.message;
    const Array &got = verdict.got[verdict.output], &truth = verdict.truth_f64[verdict.output];
    const judge::Comparison& comparison = verdict.comparison;
    return fmt::format(
        "{} is {:.6g}, expected {:.6g}: {:.3g} times the rounding error of a plain loop; {:g} are allowed; "
        "{} of {} elements are wrong.",
        judge::name_element(got, comparison.worst), number_at(got, comparison.worst),
        number_at(truth, comparison.worst), comparison.error_yardsticks, question.allowed_yardsticks,
        comparison.wrong_count, got.count());
}

}  // namespace

Agreement agree(const std::vector<Question>& questions, const judge::CallFunction& ask) {
    Agreement agreement;
    for (const Question& question : questions) {
        const Verdict verdict = judge::answer_twice(question, ask);
        ++agreement.asked;
        agreement.worst_yardsticks = std::max(agreement.worst_yardsticks, worst_error(question, verdict));
        if (verdict.outcome == Outcome::passed)
            ++agreement.passed;
        else
            agreement.failures.push_back(fmt::format("{} ({}): {}: {}", question.name, question.about(),
                                                     in_words(verdict.outcome), reason(question, verdict)));
    }
    return agreement;
}

}  // namespace attn::gpu
