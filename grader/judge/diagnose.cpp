#include "grader/judge/diagnose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/ask/inputs.h"

namespace attn::judge {
namespace {

/// Whether the mistakes `made` contradict no answer and explain at least one wrong answer.
bool explains_all(std::span<const Evidence> answers, std::span<const int> made) {
    bool explained = false;
    for (const Evidence& evidence : answers) {
        switch (explains(*evidence.question, *evidence.verdict, made)) {
            case Explains::no:
                return false;
            case Explains::yes:
                explained = true;
                break;
            case Explains::harmless:
            case Explains::cannot_say:
                break;
        }
    }
    return explained;
}

std::vector<std::vector<int>> matching(std::span<const Evidence> answers, bool pairs) {
    if (answers.empty()) return {};
    const int count = static_cast<int>(answers.front().question->module->mistakes.size());
    std::vector<std::vector<int>> found;
    for (int first = 0; first < count; ++first) {
        for (int second = first + 1; second < (pairs ? count : first + 2); ++second) {
            std::vector<int> made = pairs ? std::vector{first, second} : std::vector{first};
            if (explains_all(answers, made)) found.push_back(std::move(made));
        }
    }
    return found;
}

/// How far a mistake moves an output. Infinite if a number becomes NaN or infinite.
double effect_of(const Array& wrong, const Array& truth) {
    double largest = 0;
    for (std::size_t k = 0; k < truth.count(); ++k) {
        const double moved = std::abs(number_at(wrong, k) - number_at(truth, k));
        largest = std::isfinite(moved) ? std::max(largest, moved) : std::numeric_limits<double>::infinity();
    }
    return largest;
}

/// Whether an output has the numbers of a mistake. A mistake that only loses precision moves an output by
/// less than the tolerance for its own rounding. Then a wrong output must have exactly the numbers of the
/// plain loops with this mistake.
bool has_numbers_of(const Array& got, const Array& wrong_f64, const Array& wrong_f32, const Array& truth,
                    bool got_right, double allowed) {
    if (!same_numbers(got, wrong_f64, wrong_f32, allowed)) return false;
    if (got_right || effect_of(wrong_f64, truth) > allowed * yardstick_of(wrong_f64, wrong_f32)) return true;
    return same_numbers(got, wrong_f32, wrong_f32, allowed);
}

}  // namespace

Explains explains(const Question& question, const Verdict& verdict, std::span<const int> made) {
    using ask::Precision;
    const auto wrong = [&](Precision precision) {
        return question.module->mistaken(*question.function, made, verdict.inputs, precision);
    };
    const bool nothing = verdict.got.empty() && verdict.outcome != Outcome::out_of_bounds &&
                         verdict.outcome != Outcome::crashed;
    if (nothing) return Explains::cannot_say;
    const auto f64 = wrong(Precision::f64);
    const auto f32 = verdict.got.empty() ? f64 : wrong(Precision::f32);
    return explains_numbers(question, verdict, f64 ? &*f64 : nullptr, f32 ? &*f32 : nullptr);
}

Explains explains_numbers(const Question& question, const Verdict& verdict, const Arrays* wrong_f64,
                          const Arrays* wrong_f32) {
    // A mistake that gives numbers here does not read past the end of an array, so it does not explain a
    // crash.
    const bool crashed = verdict.outcome == Outcome::out_of_bounds || verdict.outcome == Outcome::crashed;
    if (verdict.got.empty() && !crashed) return Explains::cannot_say;
    if (wrong_f64 == nullptr || wrong_f32 == nullptr) return Explains::cannot_say;
    if (crashed) return Explains::no;
    bool harmless = true;
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        const Array& got = verdict.got[k];
        const Array &f64 = ask::by_name(*wrong_f64, got.name), &f32 = ask::by_name(*wrong_f32, got.name);
        const double yardstick = yardstick_of(verdict.truth_f64[k], verdict.truth_f32[k]);
        const bool right = compare(got, verdict.truth_f64[k], yardstick, question.allowed_yardsticks).ok;
        if (!has_numbers_of(got, f64, f32, verdict.truth_f64[k], right, question.allowed_yardsticks))
            return Explains::no;
        harmless = harmless && compare(f32, verdict.truth_f64[k], yardstick, question.allowed_yardsticks).ok;
    }
    return harmless ? Explains::harmless : Explains::yes;
}

std::vector<std::vector<int>> diagnose(std::span<const Evidence> answers) {
    auto found = matching(answers, false);
    return found.empty() ? matching(answers, true) : found;
}

report::Diagnosis describe(const ask::Module& module, const std::vector<std::vector<int>>& candidates) {
    report::Diagnosis diagnosis;
    std::vector<std::string> causes;
    std::vector<int> hinted;
    for (const std::vector<int>& made : candidates) {
        std::string name, cause;
        for (const int number : made) {
            const ask::Mistake& mistake = module.mistakes[static_cast<std::size_t>(number)];
            name += (name.empty() ? "" : "+") + mistake.name;
            cause += (cause.empty() ? "" : " and ") + mistake.when;
            if (std::find(hinted.begin(), hinted.end(), number) == hinted.end()) {
                hinted.push_back(number);
                diagnosis.hints.push_back(mistake.hint);
            }
        }
        diagnosis.mistakes.push_back(std::move(name));
        causes.push_back(std::move(cause));
    }
    if (causes.size() == 1) {
        diagnosis.sentence = "Your output is exactly what comes out when " + causes.front() + ".";
    } else if (!causes.empty()) {
        diagnosis.sentence =
            "Your output is exactly what comes out in each of these cases; the numbers do not tell them "
            "apart:";
        for (const std::string& cause : causes) diagnosis.sentence += "\n- " + cause;
    }
    return diagnosis;
}

}  // namespace attn::judge
