#include "grader/diagnosis/diagnose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/ask/inputs.h"

namespace attn::diagnosis {
namespace {

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
/// less than the tolerance for its own rounding. Then a wrong output must have exactly the numbers of the plain
/// loops in float with this mistake. If it moves them far (exponentials that are 0 in float alone do), those numbers
/// within the tolerance of right ones. An output that the mistake leaves right only has to be right, however far from the
/// plain loops its rounding is.
bool has_numbers_of(const Array& got, const Array& wrong_f64, const Array& wrong_f32, const Array& truth,
                    bool got_right, double allowed, double unit) {
    if (got_right && effect_of(wrong_f64, truth) <= allowed * unit) return true;
    if (!got_right && ask::all_finite(wrong_f32) && effect_of(wrong_f32, truth) > 2 * allowed * unit &&
        judge::compare(got, wrong_f32, unit, allowed).ok)
        return true;
    if (!judge::same_numbers(got, wrong_f64, wrong_f32, allowed)) return false;
    if (got_right || effect_of(wrong_f64, truth) > allowed * judge::yardstick_of(wrong_f64, wrong_f32))
        return true;
    return judge::same_numbers(got, wrong_f32, wrong_f32, allowed);
}

}  // namespace

void Counts::add(Explains said, Outcome outcome) {
    const bool wrong = outcome == Outcome::wrong || outcome == Outcome::not_finite;
    yes += said == Explains::yes ? 1 : 0;
    no += said == Explains::no ? 1 : 0;
    unsaid += said == Explains::cannot_say && wrong ? 1 : 0;
}

bool Counts::can_be_enough(int open) const {
    return yes + open >= kMajority * no;
}

bool Counts::enough(std::span<const int> made) const {
    return yes >= kMajority * no && (made.size() == 1 || kMajority * yes >= unsaid);
}

Explains Explainer::operator()(std::span<const int> made) {
    using ask::Precision;
    const judge::Verdict& verdict = *evidence_.verdict;
    const bool nothing = verdict.got.empty() && verdict.outcome != Outcome::out_of_bounds &&
                         verdict.outcome != Outcome::crashed;
    if (nothing) return Explains::cannot_say;
    const auto wrong = [&](ask::MistakenCall& call, Precision precision) {
        if (!call)
            call = evidence_.question->module->mistaken(*evidence_.question->function, verdict.inputs,
                                                        precision);
        return call(made);
    };
    const auto f64 = wrong(f64_, Precision::f64);
    const auto f32 = verdict.got.empty() || !f64 ? f64 : wrong(f32_, Precision::f32);
    return explains_numbers(*evidence_.question, verdict, f64 ? &*f64 : nullptr, f32 ? &*f32 : nullptr);
}

Explains explains(const judge::Question& question, const judge::Verdict& verdict, std::span<const int> made) {
    return Explainer({&question, &verdict})(made);
}

Explains explains_numbers(const judge::Question& question, const judge::Verdict& verdict,
                          const Arrays* wrong_f64, const Arrays* wrong_f32) {
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
        const bool right =
            judge::compare(got, verdict.truth_f64[k], yardstick, question.allowed_yardsticks).ok;
        if (!has_numbers_of(got, f64, f32, verdict.truth_f64[k], right, question.allowed_yardsticks,
                            yardstick))
            return Explains::no;
        harmless =
            harmless && judge::compare(f32, verdict.truth_f64[k], yardstick, question.allowed_yardsticks).ok;
    }
    return harmless ? Explains::harmless : Explains::yes;
}

judge::Comparison compared(const Evidence& answer, std::size_t output) {
    const judge::Verdict& verdict = *answer.verdict;
    return judge::compare(verdict.got[output], verdict.truth_f64[output], verdict.units[output],
                          answer.question->allowed_yardsticks);
}

std::size_t work_of(const Evidence& answer) {
    std::size_t total = 0;
    for (const Array& input : answer.verdict->inputs) total += input.count();
    for (const ask::OptionSpec& option : answer.question->function->options)
        if (option.length && !option.passed)
            total *= static_cast<std::size_t>(answer.question->sizes.at(option.name));
    return total;
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
            cause += (cause.empty() ? "" : ", and ") + mistake.when;
            if (std::find(hinted.begin(), hinted.end(), number) == hinted.end()) {
                hinted.push_back(number);
                if (std::ranges::find(diagnosis.hints, mistake.hint) == diagnosis.hints.end())
                    diagnosis.hints.push_back(mistake.hint);
            }
        }
        diagnosis.mistakes.push_back(std::move(name));
        causes.push_back(std::move(cause));
    }
    if (causes.size() == 1) {
        diagnosis.sentence = std::string(report::kExactly) + "when " + causes.front() + ".";
    } else if (!causes.empty()) {
        diagnosis.sentence =
            std::string(report::kExactly) + "in each of these cases; the numbers do not tell them apart:";
        for (const std::string& cause : causes) diagnosis.sentence += "\n- " + cause;
    }
    return diagnosis;
}

}  // namespace attn::diagnosis
