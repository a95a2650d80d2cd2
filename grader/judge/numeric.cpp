#include "grader/judge/numeric.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "grader/judge/diagnose.h"
#include "grader/judge/locate.h"
#include "grader/judge/shrink.h"

namespace attn::judge {
namespace {

using Candidates = std::vector<std::vector<int>>;

bool is_about_numbers(Outcome outcome) {
    return outcome == Outcome::wrong || outcome == Outcome::not_finite;
}

report::Tensor shown(const Array& array) {
    const Array numbers = array.cast<double>();
    return {array.name, array.shape, numbers.as<double>()};
}

std::vector<report::Tensor> shown(const Arrays& arrays) {
    std::vector<report::Tensor> tensors;
    for (const Array& array : arrays) tensors.push_back(shown(array));
    return tensors;
}

report::Difference difference_of(const Question& question, const Verdict& verdict) {
    const Array &got = verdict.got[verdict.output], &truth = verdict.truth_f64[verdict.output];
    const Comparison& comparison = verdict.comparison;
    report::Difference difference;
    difference.where = fmt::format("{} is wrong in {}.", got.name, locate(comparison.wrong, got.shape));
    difference.array = got.name;
    difference.index = index_of(comparison.worst, got.shape);
    difference.yours = static_cast<double>(got.as<float>()[comparison.worst]);
    difference.expected = truth.as<double>()[comparison.worst];
    difference.error_yardsticks = comparison.error_yardsticks;
    difference.allowed_yardsticks = question.allowed_yardsticks;
    return difference;
}

report::SmallestCase smallest_of(const Shrunk& shrunk) {
    constexpr std::size_t kPrintable = 160;
    report::SmallestCase smallest;
    smallest.sizes = checks::to_string(shrunk.question.sizes, shrunk.question.function->letters());
    std::size_t numbers = 0;
    for (const auto* arrays : {&shrunk.verdict.inputs, &shrunk.verdict.got})
        for (const Array& array : *arrays) numbers += array.count();
    if (numbers > kPrintable) return smallest;
    smallest.inputs = shown(shrunk.verdict.inputs);
    smallest.yours = shown(shrunk.verdict.got);
    smallest.expected = shown(shrunk.verdict.truth_f64);
    return smallest;
}

/// The largest error in units of the largest number that was due; a smallest case in which only the fifth
/// digit differs teaches nobody.
constexpr double kPlain = 0.02;
double relative_error(const Verdict& verdict) {
    if (verdict.comparison.not_finite != 0) return std::numeric_limits<double>::infinity();
    const auto& truth = verdict.truth_f64[verdict.output].as<double>();
    const auto& got = verdict.got[verdict.output].as<float>();
    double error = 0, largest = std::numeric_limits<double>::min();
    for (std::size_t k = 0; k < truth.size(); ++k) {
        error = std::max(error, std::abs(static_cast<double>(got[k]) - truth[k]));
        largest = std::max(largest, std::abs(truth[k]));
    }
    return error / largest;
}

/// What explains all answers; where nothing does, what explains this one.
Candidates candidates_for(const Candidates& common, const Evidence& evidence) {
    if (!common.empty()) {
        const auto explained = [&](const std::vector<int>& made) {
            return explains(*evidence.question, *evidence.verdict, made) == Explains::yes;
        };
        return std::all_of(common.begin(), common.end(), explained) ? common : Candidates{};
    }
    return diagnose({&evidence, 1});
}

/// Whether the mistakes explain an answer and none of them would alone.
bool shows_all_of(const std::vector<int>& made, const Question& question, const Verdict& verdict) {
    if (explains(question, verdict, made) != Explains::yes) return false;
    return made.size() == 1 || std::none_of(made.begin(), made.end(), [&](const int one) {
               return explains(question, verdict, {&one, 1}) == Explains::yes;
           });
}

report::Check describe(const Question& question, const Verdict& verdict) {
    report::Check check;
    check.name = question.name;
    check.kind = "numeric";
    check.about =
        question.recipe->about + ", " + checks::to_string(question.sizes, question.function->letters());
    check.outcome = verdict.outcome;
    check.message = verdict.message;
    check.printed = verdict.printed;
    if (is_about_numbers(verdict.outcome)) check.difference = difference_of(question, verdict);
    if (verdict.outcome == Outcome::wrong) check.message = check.difference->where;
    return check;
}

}  // namespace

std::vector<report::Check> judge_numeric(const std::vector<Question>& questions, const Ask& ask) {
    std::vector<Verdict> verdicts;
    for (const Question& question : questions) verdicts.push_back(answer_twice(question, ask));

    std::vector<Evidence> answers;
    for (std::size_t k = 0; k < questions.size(); ++k)
        if (verdicts[k].outcome == Outcome::passed || is_about_numbers(verdicts[k].outcome))
            answers.push_back({&questions[k], &verdicts[k]});
    const Candidates common = diagnose(answers);

    std::vector<report::Check> checks;
    bool shown_smallest = false;
    for (std::size_t k = 0; k < questions.size(); ++k) {
        checks.push_back(describe(questions[k], verdicts[k]));
        if (!is_about_numbers(verdicts[k].outcome)) continue;
        const Candidates candidates = candidates_for(common, {&questions[k], &verdicts[k]});
        if (!candidates.empty()) checks.back().diagnosis = judge::describe(*questions[k].module, candidates);
        if (shown_smallest) continue;
        // As small as it gets while it still shows this outcome, as plainly, and this mistake where one was
        // named.
        const double plain = std::min(kPlain, relative_error(verdicts[k]));
        const auto still_fails = [&](const Question& smaller, const Verdict& verdict) {
            return verdict.outcome == verdicts[k].outcome && relative_error(verdict) >= plain &&
                   (candidates.empty() || shows_all_of(candidates.front(), smaller, verdict));
        };
        if (const auto shrunk = shrink(questions[k], ask, still_fails)) {
            checks.back().smallest = smallest_of(*shrunk);
            shown_smallest = true;
        }
    }
    return checks;
}

}  // namespace attn::judge
