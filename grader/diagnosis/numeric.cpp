#include "grader/diagnosis/numeric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/diagnosis/buffer_sizes.h"
#include "grader/diagnosis/diagnose.h"
#include "grader/diagnosis/explanations.h"
#include "grader/diagnosis/failure_claims.h"
#include "grader/diagnosis/failure_pattern.h"
#include "grader/diagnosis/make_pictures.h"
#include "grader/diagnosis/other_choice.h"
#include "grader/diagnosis/other_forward.h"
#include "grader/diagnosis/smallest_case.h"
#include "grader/diagnosis/think.h"
#include "grader/edits/packed.h"
#include "grader/edits/systematic.h"
#include "grader/judge/locate.h"

namespace attn::diagnosis {
namespace {

using Candidates = std::vector<Made>;

/// Whether the plain loops make no rounding error here, in float and in double: they copy, or write whole numbers.
bool is_exact(const judge::Verdict& verdict) {
    const Array &f64 = verdict.truth_f64[verdict.output], &f32 = verdict.truth_f32[verdict.output];
    for (std::size_t k = 0; k < f64.count(); ++k)
        if (number_at(f64, k) != number_at(f32, k)) return false;
    return true;
}

report::Difference difference_of(const judge::Question& question, const judge::Verdict& verdict) {
    const Array &got = verdict.got[verdict.output], &truth = verdict.truth_f64[verdict.output];
    const judge::Comparison& comparison = verdict.comparison;
    report::Difference difference;
    difference.where = fmt::format(
        "{} is wrong in {}.", got.name,
        judge::locate(comparison.wrong, got.shape, judge::letters_of(*question.function, got.name)));
    difference.array = got.name;
    difference.index = judge::index_of(comparison.worst, got.shape);
    difference.yours = number_at(got, comparison.worst);
    difference.expected = number_at(truth, comparison.worst);
    difference.error_yardsticks =
        is_exact(verdict) ? std::numeric_limits<double>::infinity() : comparison.error_yardsticks;
    difference.allowed_yardsticks = question.allowed_yardsticks;
    return difference;
}

/// The mistakes that explain all answers (`common`) or, if there are none, those that explain this one.
Candidates candidates_for(const Candidates& common, Explanations& explanations,
                          const std::vector<Evidence>& answers, std::size_t answer) {
    if (!common.empty()) {
        const auto explained = [&](const Made& made) {
            return explanations.result_of(made, answer) == Explains::yes;
        };
        return std::all_of(common.begin(), common.end(), explained) ? common : Candidates{};
    }
    // NaN is the same in the output of every mistake, so it cannot identify one.
    if (answers[answer].verdict->outcome == Outcome::not_finite) return {};
    return explanations.of(answer);
}

/// Other cases contradict what explains this one.
void say_of_this_case_only(report::Diagnosis& diagnosis) {
    if (!diagnosis.sentence.starts_with(report::kExactly)) return;
    diagnosis.sentence.replace(0, report::kExactly.size(),
                               "In this case your output is exactly what comes out ");
    diagnosis.sentence += report::kNotInOthers;
}

void draw(const judge::Question& question, const judge::Verdict& verdict, report::Check& check) {
    if (!check.pictures.empty()) return;
    check.pictures = pictures_of(question, verdict);
    check.photograph = photograph_of(question, verdict);
}

report::Check describe(const judge::Question& question, const judge::Verdict& verdict) {
    report::Check check;
    check.name = question.name;
    check.kind = report::CheckKind::numeric;
    check.about = question.about();
    if (!question.refusal().empty()) check.about += ", must be refused";
    check.outcome = verdict.outcome;
    check.message = verdict.message;
    check.printed = verdict.printed;
    check.lines = verdict.lines;
    // The watched build found the first access past the buffer, the guarded heap one of those after it.
    if (check.lines && !lengths_of_buffer(check.lines->what, question).empty())
        check.message = std::exchange(check.lines->what, "");
    check.message += lengths_of_buffer(check.message, question);
    if (has_wrong_numbers(verdict)) check.difference = difference_of(question, verdict);
    if (verdict.outcome == Outcome::passed && !question.pictures.empty()) draw(question, verdict, check);
    if (check.difference && verdict.outcome == Outcome::wrong) check.message = check.difference->where;
    return check;
}

/// Whether a failure is always drawn: wrong numbers of words or photographs, and partly written outputs.
bool always_drawn(const judge::Question& question, const judge::Verdict& verdict) {
    return (has_wrong_numbers(verdict) && question.recipe->scene) ||
           verdict.outcome == Outcome::partly_written;
}

/// Whether the numbers say something about a mistake. After a race or an invalid memory access, and where a call gives
/// other numbers the second time, they do not.
bool can_be_explained(const NumericResult& judged) {
    return std::ranges::none_of(judged.verdicts, [](const judge::Verdict& verdict) {
        return verdict.outcome == Outcome::kernel_error || verdict.outcome == Outcome::not_deterministic;
    });
}

/// Names the edit of the plain loops that explains all answers, if there is one. Returns the edits found.
FoundEdits name_by_edits(NumericResult& judged, const Evidence& filter, const judge::CallFunction& call,
                         report::Hints hints, SearchWork& work) {
    SearchLimits limits = work.of_one;
    limits.work = std::min(limits.work, work.left);
    limits.pair_work = std::min(limits.pair_work, work.left_for_pairs);
    FoundEdits found = search_edits(filter, evidence_of(judged.questions, judged.verdicts), call, limits);
    work.left -= found.work;
    work.left_for_pairs -= found.pair_work;
    const auto diagnosis = describe(found, hints);
    if (!diagnosis) return found;
    for (std::size_t k = 0; k < judged.checks.size(); ++k)
        if (judged.verdicts[k].outcome == Outcome::wrong && has_wrong_numbers(judged.verdicts[k]))
            judged.checks[k].diagnosis = diagnosis;
    judged.by_edits = found.all;
    return found;
}

/// Whether the plain loops of this function take exponentials of numbers less their maximum.
bool subtracts_a_maximum(const ask::Function& function) {
    const edits::Program& program = edits::packed_program();
    const int number = program.find_public(function.name);
    if (number < 0) return false;
    const auto has = [&program](edits::Op op) {
        return [&program, op](int each) {
            return std::ranges::find(program.function(each).nodes, op, &edits::Node::op) !=
                   program.function(each).nodes.end();
        };
    };
    const std::vector<int> reached = edits::functions_reached_from(program, number);
    return std::ranges::any_of(reached, has(edits::Op::exp)) &&
           std::ranges::any_of(reached, has(edits::Op::maximum));
}

/// Whether a number is wrong that is finite.
bool has_wrong_finite_numbers(const Evidence& answer) {
    for (std::size_t k = 0; k < answer.verdict->got.size(); ++k) {
        const std::vector<bool> wrong = compared(answer, k).wrong;
        for (std::size_t at = 0; at < wrong.size(); ++at)
            if (wrong[at] && std::isfinite(number_at(answer.verdict->got[k], at))) return true;
    }
    return false;
}

/// If nothing is wrong but numbers that are not finite, exponentials are probably too large or all 0.
void ask_about_maximum(NumericResult& judged, const std::optional<Shrunk>& shrunk) {
    bool any_passed = false;
    for (std::size_t k = 0; k < judged.verdicts.size(); ++k) {
        const judge::Verdict& verdict = judged.verdicts[k];
        if (verdict.outcome != Outcome::passed && verdict.outcome != Outcome::not_finite) return;
        if (has_wrong_finite_numbers({&judged.questions[k], &verdict})) return;
        any_passed = any_passed || (verdict.outcome == Outcome::passed && !verdict.got.empty());
    }
    if (!any_passed || !subtracts_a_maximum(*judged.questions.front().function)) return;
    // In a large case there can be such a row by chance.
    bool all_have_empty_rows = !shrunk || has_empty_row(shrunk->verdict);
    for (std::size_t k = 0; k < judged.verdicts.size(); ++k)
        if (judged.verdicts[k].outcome == Outcome::not_finite)
            all_have_empty_rows = all_have_empty_rows && has_empty_row(judged.verdicts[k]) &&
                                  !wrong_beside_empty_rows({&judged.questions[k], &judged.verdicts[k]});
    const report::Diagnosis said =
        all_have_empty_rows
            ? report::Diagnosis{{},
                                "Only the numbers that are not finite are wrong, and each of these cases has "
                                "a row of the mask without a 1.",
                                {"What is the sum of the exponentials in such a row, and what does your code "
                                 "divide by it?"}}
            : report::Diagnosis{{},
                                "Only the numbers that are not finite are wrong. In float exp(x) is "
                                "infinite for x > 88 and 0 for x < -104, so a sum of exponentials can be "
                                "infinite or 0.",
                                {"What do you subtract before you take exp? Is it the largest number of "
                                 "its row, also where all are below 0, where some are masked, and where "
                                 "the largest comes last?"}};
    for (report::Check& check : judged.checks)
        if (check.outcome == Outcome::not_finite) check.diagnosis = said;
}

/// If only zeros were not written, a function counts on outputs that are 0 before it.
void ask_about_zeros(NumericResult& judged) {
    for (std::size_t k = 0; k < judged.verdicts.size(); ++k) {
        const judge::Verdict& verdict = judged.verdicts[k];
        if (verdict.outcome == Outcome::passed) continue;
        if (verdict.outcome != Outcome::partly_written) return;
        for (std::size_t o = 0; o < verdict.got.size(); ++o) {
            const Array& truth = verdict.truth_f64[o];
            const std::vector<bool> wrong = compared({&judged.questions[k], &verdict}, o).wrong;
            for (std::size_t at = 0; at < wrong.size(); ++at)
                if (wrong[at] && number_at(truth, at) != 0) return;
        }
    }
    for (report::Check& check : judged.checks)
        if (check.outcome == Outcome::partly_written)
            check.diagnosis =
                report::Diagnosis{{},
                                  "Only numbers that have to be 0 were not written. Nothing sets "
                                  "an output to 0 before the call.",
                                  {"Which elements of the output are 0, and which line of "
                                   "your code writes them?"}};
}

/// Whether the report names one cause, and no other that explains the numbers as well.
bool has_one_cause(const report::Check& check) {
    return check.diagnosis && check.diagnosis->mistakes.size() <= 1 &&
           !check.diagnosis->sentence.ends_with(report::kNotInOthers) &&
           check.diagnosis->sentence.find("exactly what comes out") != std::string::npos &&
           check.diagnosis->sentence.find('\n') == std::string::npos;
}

/// Where the function is right and where it is wrong, as far as the reader of check k may know it.
std::string pattern_of(const NumericResult& judged, std::size_t k, const std::optional<Shrunk>& shrunk,
                       const judge::CallFunction& call, report::Hints hints) {
    std::vector<Evidence> open;
    for (std::size_t other = 0; other < judged.questions.size(); ++other)
        if (other == k || !judged.questions[other].kept_back)
            open.push_back({&judged.questions[other], &judged.verdicts[other]});
    const Evidence smallest = shrunk ? Evidence{&shrunk->question, &shrunk->verdict} : Evidence{};
    return failure_pattern(open, {&judged.questions[k], &judged.verdicts[k]}, shrunk ? &smallest : nullptr,
                           call, hints == report::Hints::name && has_one_cause(judged.checks[k]));
}

/// Whether these inputs must be refused and the call returned normally.
bool refusal_is_missing(const judge::Question& question, const judge::Verdict& verdict) {
    return verdict.outcome == Outcome::wrong && verdict.got.empty() && !question.refusal().empty() &&
           verdict.message != report::kRefusesEverything;
}

/// The mistake that is named by wrong numbers can also be why something is not refused: with this mistake a number that is
/// outside is not read.
void explain_missing_refusals(NumericResult& judged, const FoundEdits& found) {
    const FoundEdits none;
    for (std::size_t k = 0; k < judged.checks.size(); ++k) {
        const judge::Question& question = judged.questions[k];
        if (judged.checks[k].diagnosis || !refusal_is_missing(question, judged.verdicts[k])) continue;
        for (std::size_t named = 0; named < judged.checks.size(); ++named) {
            const auto& diagnosis = judged.checks[named].diagnosis;
            if (!diagnosis || !has_wrong_numbers(judged.verdicts[named]) ||
                !diagnosis->sentence.starts_with(report::kExactly))
                continue;
            const Candidates& listed = judged.mistakes[named];
            if (!no_longer_notices(listed.empty() ? found : none, listed, question,
                                   judged.verdicts[k].inputs))
                continue;
            judged.checks[k].diagnosis = diagnosis;
            judged.checks[k].diagnosis->sentence.replace(
                0, report::kExactly.size(), "It returned normally, which is also what comes out ");
            judged.mistakes[k] = listed;
            break;
        }
    }
}

/// A function that always throws would also pass the cases it must refuse. So these cases count only if the
/// function gives at least one right answer.
void require_one_right_answer(const std::vector<judge::Question>& questions,
                              std::vector<judge::Verdict>& verdicts) {
    const auto must_be_refused = [&questions](std::size_t k) { return !questions[k].refusal().empty(); };
    for (std::size_t k = 0; k < questions.size(); ++k)
        if (verdicts[k].outcome == Outcome::passed && !must_be_refused(k)) return;
    for (std::size_t k = 0; k < questions.size(); ++k) {
        if (verdicts[k].outcome != Outcome::passed) continue;
        verdicts[k].outcome = Outcome::wrong;
        verdicts[k].message = report::kRefusesEverything;
    }
}

/// A case that tests a refusal says so in the rubric.
void require_accepted(const judge::Question& question, const Arrays& inputs) {
    if (question.accepted_at.empty()) return;
    if (const std::string why = question.function->refusal(question.sizes, inputs); !why.empty())
        throw UserError(
            fmt::format("{}: {}, so {} must refuse these inputs; if the case is to test that, "
                        "say refused = true",
                        question.accepted_at, why, question.function->name));
}

}  // namespace

bool has_wrong_numbers(const judge::Verdict& verdict) {
    return !verdict.got.empty() &&
           (verdict.outcome == Outcome::wrong || verdict.outcome == Outcome::not_finite);
}

bool is_named(const NumericResult& judged) {
    return std::ranges::any_of(judged.checks,
                               [](const report::Check& check) { return check.diagnosis.has_value(); });
}

std::vector<Evidence> evidence_of(const std::vector<judge::Question>& questions,
                                  const std::vector<judge::Verdict>& verdicts) {
    std::vector<Evidence> answers;
    for (std::size_t k = 0; k < questions.size(); ++k)
        if (verdicts[k].outcome == Outcome::passed || has_wrong_numbers(verdicts[k]) ||
            verdicts[k].outcome == Outcome::out_of_bounds || verdicts[k].outcome == Outcome::crashed)
            answers.push_back({&questions[k], &verdicts[k]});
    return answers;
}

NumericResult ask_numeric(std::vector<judge::Question> questions, const judge::CallFunction& call) {
    NumericResult judged;
    for (const judge::Question& question : questions) {
        judged.verdicts.push_back(answer_twice(question, call));
        require_accepted(question, judged.verdicts.back().inputs);
    }
    require_one_right_answer(questions, judged.verdicts);
    for (std::size_t k = 0; k < questions.size(); ++k)
        judged.checks.push_back(describe(questions[k], judged.verdicts[k]));
    judged.mistakes.resize(questions.size());
    judged.questions = std::move(questions);
    return judged;
}

void name_mistakes(NumericResult& judged, const judge::CallFunction& call) {
    const std::vector<judge::Question>& questions = judged.questions;
    const std::vector<judge::Verdict>& verdicts = judged.verdicts;
    // Explaining takes most of the time, so it is done only for wrong numbers.
    if (!can_be_explained(judged)) return;
    if (std::ranges::none_of(verdicts, has_wrong_numbers)) return ask_about_zeros(judged);
    const std::vector<Evidence> answers = evidence_of(questions, verdicts);
    Explanations explanations(answers);
    const Candidates common = explanations.of_all();

    for (std::size_t k = 0; k < questions.size(); ++k) {
        if (!has_wrong_numbers(verdicts[k])) continue;
        const auto answer = std::ranges::find(answers, &questions[k], &Evidence::question) - answers.begin();
        const Candidates named =
            candidates_for(common, explanations, answers, static_cast<std::size_t>(answer));
        judged.mistakes[k] = named;
        if (named.empty()) continue;
        judged.checks[k].diagnosis = diagnosis::describe(*questions[k].module, named);
        if (common.empty()) say_of_this_case_only(*judged.checks[k].diagnosis);
    }
    const auto say_of_all_wrong = [&](const std::optional<report::Diagnosis>& diagnosis) {
        for (std::size_t k = 0; diagnosis && k < questions.size(); ++k)
            if (has_wrong_numbers(verdicts[k])) judged.checks[k].diagnosis = diagnosis;
    };
    if (!is_named(judged)) say_of_all_wrong(right_for_another_choice(answers));
    if (!is_named(judged)) name_in_branches(judged, answers, call);
    if (!is_named(judged)) say_of_all_wrong(right_for_another_forward(answers));
}

NumericResult judge_numeric(std::vector<judge::Question> questions, const judge::CallFunction& call) {
    NumericResult judged = ask_numeric(std::move(questions), call);
    name_mistakes(judged, call);
    return judged;
}

void illustrate(NumericResult& judged, const judge::CallFunction& call, report::Hints hints,
                SearchWork& work) {
    const auto draw_one = [&judged](std::size_t k) {
        draw(judged.questions[k], judged.verdicts[k], judged.checks[k]);
    };
    for (std::size_t k = 0; k < judged.questions.size(); ++k)
        if (always_drawn(judged.questions[k], judged.verdicts[k])) draw_one(k);
    const bool named = is_named(judged);
    const bool explainable = can_be_explained(judged);
    bool searched = false;
    FoundEdits found;
    // Shrink one failure only. Prefer a diagnosed one, and one that is small enough to print.
    const auto illustrate_one = [&](std::size_t k) {
        draw_one(k);
        auto shrunk = shrink(judged.questions[k], call, must_show(judged.verdicts[k], judged.mistakes[k]));
        if (!named && explainable && !std::exchange(searched, true))
            found = name_by_edits(judged,
                                  shrunk ? Evidence{&shrunk->question, &shrunk->verdict}
                                         : Evidence{&judged.questions[k], &judged.verdicts[k]},
                                  call, hints, work);
        if (!named && explainable && found.all.empty()) ask_about_maximum(judged, shrunk);
        if (shrunk) shrunk = with_simple_values(std::move(*shrunk), judged.mistakes[k], found, call);
        judged.checks[k].pattern = pattern_of(judged, k, shrunk, call, hints);
        if (shrunk) judged.checks[k].smallest = smallest_of(*shrunk);
        if (judged.checks[k].smallest && judged.verdicts[k].outcome == Outcome::wrong)
            judged.checks[k].question = question_about(*judged.checks[k].smallest);
        return shrunk && !judged.checks[k].smallest->inputs.empty();
    };
    bool shown = false;
    for (const bool diagnosed : {true, false})
        for (std::size_t k = 0; k < judged.questions.size() && !shown; ++k)
            if (has_wrong_numbers(judged.verdicts[k]) && judged.mistakes[k].empty() != diagnosed)
                shown = illustrate_one(k);
    explain_missing_refusals(judged, found);
    for (std::size_t k = 0; k < judged.checks.size(); ++k)
        if (report::Check& check = judged.checks[k]; check.question.empty() && !check.diagnosis)
            check.question = question_about(judged.verdicts[k]);
}

}  // namespace attn::diagnosis
