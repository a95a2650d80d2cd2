#include "grader/grading/shared_mistakes.h"

#include <algorithm>
#include <utility>

#include "grader/diagnosis/edited_answers.h"
#include "grader/edits/packed.h"
#include "grader/grading/questions.h"
#include "grader/judge/in_process.h"
#include "grader/judge/property.h"

namespace attn {
namespace {

bool is_right(const report::Check& check) {
    return check.outcome == Outcome::passed;
}

/// The answers that edits of the plain loops have to give, right and wrong ones. None if not all are numbers.
diagnosis::EditedAnswers answers_of(const diagnosis::NumericResult& judged) {
    // A right refusal counts for nothing where all numbers are wrong.
    if (!std::ranges::all_of(judged.verdicts, [](const judge::Verdict& verdict) {
            return verdict.outcome == Outcome::passed || diagnosis::has_wrong_numbers(verdict) ||
                   verdict.message == report::kRefusesEverything;
        }))
        return {};
    return diagnosis::edited_answers(diagnosis::evidence_of(judged.questions, judged.verdicts));
}

/// Whether the plain loops with these edits fail every property that failed.
bool explains_properties(const edits::EditedFunctions& edited, const rubric::Rubric& rubric,
                         const rubric::PartRubric& rules, std::uint64_t seed, const Judged& judged) {
    std::vector<const ask::Property*> failed;
    for (std::size_t k = 0; k < judged.properties.size(); ++k) {
        if (is_right(judged.properties[k])) continue;
        if (judged.properties[k].outcome != Outcome::wrong &&
            judged.properties[k].outcome != Outcome::not_finite)
            return false;
        failed.push_back(rules.properties[k]);
    }
    if (failed.empty()) return true;
    const auto asked = judge::judge_properties(property_question(rubric, rules, seed), failed,
                                               judge::edited_student(edited));
    return std::ranges::none_of(asked, is_right);
}

/// The work of the plain loops that may be spent on the helpers of a function.
constexpr std::int64_t kMostWork = 4'000'000;

/// The helpers of a function that another function of the module has, too. None if the function has no listed mistake.
std::vector<int> helpers_with_others(const edits::Program& program, const diagnosis::NumericResult& judged,
                                     const std::string& function) {
    std::vector<int> helpers, shared;
    if (std::ranges::all_of(judged.mistakes, [](const auto& made) { return made.empty(); })) return {};
    if (const int number = program.find_public(function); number >= 0)
        helpers = own_functions(program, number);
    for (const ask::Function& other : judged.questions.front().module->functions) {
        const int number = program.find_public(other.name);
        if (number < 0 || other.name == function) continue;
        for (const int each : own_functions(program, number))
            if (!program.is_public(each) && std::ranges::find(helpers, each) != helpers.end() &&
                std::ranges::find(shared, each) == shared.end())
                shared.push_back(each);
    }
    return shared;
}

}  // namespace

void SharedMistakes::remember(const std::string& function, const diagnosis::NumericResult& judged) {
    const auto is_empty = [](const auto& made) { return made.empty(); };
    if (!judged.by_edits.empty() || !std::ranges::all_of(judged.mistakes, is_empty))
        judged_.emplace_back(function, judged);
}

void SharedMistakes::find_edits(const std::string& function, const diagnosis::NumericResult& judged) {
    edits::Program& program = edits::packed_program();
    for (const diagnosis::ExplainingEdit& found : judged.by_edits)
        if (!program.is_public(found.edit.function) && found.edit.caller < 0 && !found.listed &&
            found.alike.empty())
            all_.push_back({function, as_edits(program, found.edit)});
    const std::vector<int> helpers = helpers_with_others(program, judged, function);
    if (helpers.empty()) return;
    diagnosis::EditedAnswers answers = answers_of(judged);
    const auto remember = [&](const std::vector<edits::Edit>& made, bool is_listed) {
        try {
            const bool explained =
                diagnosis::explains_every(answers, edits::EditedFunctions(program, made), is_listed);
            if (explained) all_.push_back({function, made, is_listed});
            return explained;
        } catch (const edits::SourceError&) {
            return false;  // the edit has no meaning at its place
        }
    };
    const auto in_helpers = [&](const edits::Edit& edit) {
        return edit.caller < 0 && std::ranges::find(helpers, edit.function) != helpers.end();
    };
    const auto listed = edits::listed_edits(judged.questions.front().module->name);
    for (const auto& mistakes : judged.mistakes)
        for (const auto& made : mistakes)
            if (const auto& edits = listed.at(static_cast<std::size_t>(made.front()));
                made.size() == 1 && std::ranges::all_of(edits, in_helpers) && remember(edits, true))
                return;
    const std::int64_t end = edits::work_done() + kMostWork;
    for (const int helper : helpers)
        for (const edits::SystematicEdit& edit : systematic_edits(program, helper)) {
            if (edits::work_done() >= end) return;
            remember(as_edits(program, edit), false);
        }
}

std::string SharedMistakes::charge(const rubric::Rubric& rubric, const rubric::PartRubric& rules,
                                   std::uint64_t seed, Judged& judged) {
    if (std::ranges::all_of(judged.checks(), is_right)) return {};
    for (const auto& [function, before] : std::exchange(judged_, {})) find_edits(function, before);
    const edits::Program& program = edits::packed_program();
    const int number = program.find_public(rules.function->name);
    if (number < 0) return {};
    // A student may call the helper where the plain loops call another function that has it.
    const std::vector<int> reached = edits::functions_reached_from(program, number);
    diagnosis::EditedAnswers answers = answers_of(judged.numeric);
    for (const Remembered& each : all_) {
        if (std::ranges::find(reached, each.edits.front().function) == reached.end()) continue;
        const edits::EditedFunctions edited(program, each.edits);
        if (!diagnosis::explains_every(answers, edited, each.listed) ||
            !explains_properties(edited, rubric, rules, seed, judged))
            continue;
        for (auto* const checks : {&judged.numeric.checks, &judged.properties})
            for (report::Check& check : *checks)
                if (!is_right(check)) {
                    report::Check passed;
                    passed.name = check.name, passed.kind = check.kind, passed.about = check.about;
                    passed.outcome = Outcome::passed;
                    check = std::move(passed);
                }
        return each.function;
    }
    return {};
}

}  // namespace attn
