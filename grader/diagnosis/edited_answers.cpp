#include "grader/diagnosis/edited_answers.h"

#include <algorithm>
#include <cmath>

#include "grader/ask/inputs.h"

namespace attn::diagnosis {

using ask::Precision;

namespace {

/// Whether two results agree in about three digits, or within `rounding`: a gradient that is 0 consists of rounding errors.
bool similar(const Array& got, const Array& wanted, double rounding) {
    constexpr double kShare = 1e-3;
    double largest = 0;
    for (std::size_t k = 0; k < got.count(); ++k)
        if (std::isfinite(number_at(got, k))) largest = std::max(largest, std::abs(number_at(got, k)));
    const double allowed = std::max(kShare * largest, rounding);
    for (std::size_t k = 0; k < got.count(); ++k) {
        const double a = number_at(got, k), b = number_at(wanted, k);
        if (std::isfinite(a) != std::isfinite(b)) return false;
        if (std::isfinite(a) && std::abs(a - b) > allowed) return false;
    }
    return true;
}

}  // namespace

ask::EditedCall& EditedAnswer::call(Precision precision) {
    std::optional<ask::EditedCall>& made = precision == Precision::f32 ? f32_ : f64_;
    if (!made) {
        // Iterations for about a second and a half. Only whole trainings need more.
        constexpr std::int64_t kMostSteps = std::int64_t{1} << 25;
        made.emplace(*evidence_.question->function, evidence_.verdict->inputs, precision, kMostSteps);
        steps_ = made->steps();
    }
    return *made;
}

std::int64_t EditedAnswer::steps() {
    call(Precision::f32);
    return steps_;
}

bool EditedAnswer::is_similar(const Arrays& outputs) const {
    const judge::Verdict& verdict = *evidence_.verdict;
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        const double rounding = evidence_.question->allowed_yardsticks * verdict.units[k];
        if (!similar(verdict.got[k], ask::by_name(outputs, verdict.got[k].name), rounding)) return false;
    }
    return true;
}

Explains EditedAnswer::explained_by(const edits::EditedFunctions& edited) {
    const Arrays* const f32 = call(Precision::f32).outputs(edited.replacements());
    if (f32 == nullptr) return explains_numbers(*evidence_.question, *evidence_.verdict, nullptr, nullptr);
    const Arrays* const f64 = call(Precision::f64).outputs(edited.replacements());
    return explains_numbers(*evidence_.question, *evidence_.verdict, f64, f32);
}

EditedAnswers edited_answers(std::span<const Evidence> answers) {
    std::vector<Evidence> ordered(answers.begin(), answers.end());
    std::ranges::stable_sort(ordered, {}, work_of);
    EditedAnswers all;
    for (const Evidence& evidence : ordered) all.push_back(std::make_unique<EditedAnswer>(evidence));
    return all;
}

bool explains_every(EditedAnswers& answers, const edits::EditedFunctions& edited, bool known) {
    bool explained = false;
    for (const auto& answer : answers) {
        const Explains said = answer->explained_by(edited);
        if (said == Explains::no) return false;
        if (answer->crashed() || !answer->possible()) continue;
        if (said == Explains::cannot_say) return false;
        if (answer->was_wrong() && said == Explains::harmless) return false;
        // NaN is the same in the output of every mistake, so it cannot identify one.
        explained = explained || (said == Explains::yes && (known || answer->outcome() == Outcome::wrong));
    }
    return explained;
}

FreshAnswers::FreshAnswers(std::span<const Evidence> answers, const judge::CallFunction& call, int count) {
    std::vector<Evidence> failed;
    for (const Evidence& evidence : answers)
        if (evidence.verdict->outcome == Outcome::wrong) failed.push_back(evidence);
    std::ranges::stable_sort(failed, {}, work_of);
    for (int number = 0; number < count && !failed.empty(); ++number) {
        const Evidence& like = failed[static_cast<std::size_t>(number) % failed.size()];
        questions_.push_back(std::make_unique<judge::Question>(*like.question));
        judge::Question& question = *questions_.back();
        question.name += " fresh " + std::to_string(number);
        verdicts_.push_back(std::make_unique<judge::Verdict>(answer(question, call)));
        if (verdicts_.back()->got.empty()) continue;
        asked.push_back(std::make_unique<EditedAnswer>(Evidence{&question, verdicts_.back().get()}));
    }
}

}  // namespace attn::diagnosis
