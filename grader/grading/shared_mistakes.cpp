#include "grader/grading/shared_mistakes.h"

#include <algorithm>

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

/// Whether the plain loops with these edits give all answers, right and wrong ones. They explain nothing but numbers.
bool explains_cases(const edits::EditedFunctions& edited, const Judged& judged) {
    const auto& [checks, questions, verdicts, mistakes, by_edits] = judged.numeric;
    if (!std::ranges::all_of(verdicts, [](const judge::Verdict& verdict) {
            return verdict.outcome == Outcome::passed || diagnosis::has_wrong_numbers(verdict);
        }))
        return false;
    diagnosis::EditedAnswers answers = diagnosis::edited_answers(diagnosis::evidence_of(questions, verdicts));
    return diagnosis::explains_every(answers, edited);
}

/// Whether the plain loops with these edits fail every property that failed.
bool explains_properties(const edits::EditedFunctions& edited, const rubric::Rubric& rubric,
                         const rubric::PartRubric& rules, std::uint64_t seed, const Judged& judged) {
    std::vector<const ask::Property*> failed;
    for (std::size_t k = 0; k < judged.properties.size(); ++k) {
        if (is_right(judged.properties[k])) continue;
        if (judged.properties[k].outcome != Outcome::wrong) return false;
        failed.push_back(rules.properties[k]);
    }
    if (failed.empty()) return true;
    const auto asked = judge::judge_properties(property_question(rubric, rules, seed), failed,
                                               judge::edited_student(edited));
    return std::ranges::none_of(asked, is_right);
}

}  // namespace

void SharedMistakes::remember(const std::string& function, const diagnosis::NumericResult& judged) {
    const edits::Program& program = edits::packed_program();
    for (const diagnosis::ExplainingEdit& found : judged.by_edits)
        if (!program.is_public(found.edit.function) && found.edit.caller < 0 && !found.listed &&
            found.alike.empty())
            all_.push_back({function, found.edit});
}

std::string SharedMistakes::charge(const rubric::Rubric& rubric, const rubric::PartRubric& rules,
                                   std::uint64_t seed, Judged& judged) const {
    edits::Program& program = edits::packed_program();
    const int number = program.find_public(rules.function->name);
    if (number < 0) return {};
    const std::vector<int> own = own_functions(program, number);
    for (const Remembered& each : all_) {
        if (std::ranges::find(own, each.edit.function) == own.end()) continue;
        const std::vector<edits::Edit> made = as_edits(program, each.edit);
        const edits::EditedFunctions edited(program, made);
        if (!explains_cases(edited, judged) || !explains_properties(edited, rubric, rules, seed, judged))
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
