#include "grader/judge/diagnose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/ask/inputs.h"

namespace attn::judge {
namespace {

/// Whether each of these mistakes changes something: for each one, some wrong answer has the numbers of all
/// of them, and has other numbers without this one. One mistake alone changes something, as it explains a
/// wrong answer.
bool each_is_needed(std::span<const Evidence> answers, std::span<const int> made) {
    if (made.size() == 1) return true;
    return std::all_of(made.begin(), made.end(), [&](const int one) {
        std::vector<int> others(made.begin(), made.end());
        std::erase(others, one);
        return std::any_of(answers.begin(), answers.end(), [&](const Evidence& evidence) {
            const auto said = [&](std::span<const int> these) {
                return explains(*evidence.question, *evidence.verdict, these);
            };
            return said(made) == Explains::yes && said(others) == Explains::no;
        });
    });
}

/// Whether the mistakes `made` contradict no answer, and explain enough of the wrong answers.
bool explains_all(std::span<const Evidence> answers, std::span<const int> made) {
    Counts counts;
    for (const Evidence& evidence : answers) {
        const Explains said = explains(*evidence.question, *evidence.verdict, made);
        if (said == Explains::no) return false;
        counts.add(said, evidence.verdict->outcome);
    }
    return counts.yes > 0 && counts.enough(made) && each_is_needed(answers, made);
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

void Counts::add(Explains said, Outcome outcome) {
    const bool wrong = outcome == Outcome::wrong || outcome == Outcome::not_finite;
    yes += said == Explains::yes ? 1 : 0;
    no += said == Explains::no ? 1 : 0;
    unsaid += said == Explains::cannot_say && wrong ? 1 : 0;
}

bool Counts::enough(std::span<const int> made) const {
    constexpr int kMajority = 4;
    return yes >= kMajority * no && (made.size() == 1 || kMajority * yes >= unsaid);
}

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
        const double yardstick = verdict.units[k];
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
