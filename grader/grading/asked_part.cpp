#include "grader/grading/asked_part.h"

#include <algorithm>
#include <utility>

#include "grader/grading/questions.h"
#include "grader/judge/property.h"

namespace attn {

using rubric::PartRubric;
using rubric::Rubric;

Judged AskedPart::ask(const Names& stand_ins) {
    return with_student(stand_ins, [&](const judge::CallFunction& call) {
        return ask_part(rubric_, rules_, seed_, lines_.with_lines(call, rules_, stand_ins));
    });
}

bool AskedPart::repeats(const Judged& like, const std::vector<std::size_t>& some, const Names& stand_ins) {
    return with_student(stand_ins, [&](const judge::CallFunction& call) {
        const std::size_t cases = like.numeric.verdicts.size();
        return std::ranges::all_of(some, [&](std::size_t k) {
            if (k < cases) {
                const judge::Question& question = like.numeric.questions[k];
                const judge::Verdict& before = like.numeric.verdicts[k];
                // A refusal is wrong, too, if no other answer is right.
                return (before.outcome == Outcome::wrong && !question.refusal().empty()) ||
                       alike(judge::answer_twice(question, call), before);
            }
            return judge::judge_properties(property_question(rubric_, rules_, seed_),
                                           {rules_.properties[k - cases]}, call)
                       .front()
                       .outcome == like.properties[k - cases].outcome;
        });
    });
}

Names possible_causes(const Rubric& rubric, const PartRubric& rules, const report::Assignment& before,
                      compile::Builds& builds) {
    const auto right = [&](const std::string& function) -> const report::Part* {
        const auto known = std::ranges::find(before.parts, function, &report::Part::function);
        return known != before.parts.end() && report::all_correct(*known) ? &*known : nullptr;
    };
    Names causes = builds.called_among(rubric, rules.may_call);
    std::erase_if(causes, [&](const std::string& function) {
        const report::Part* const part = right(function);
        return part != nullptr && part->stand_ins.empty() && part->mistake_charged_at.empty();
    });
    std::ranges::stable_sort(causes, {}, [&](const std::string& function) {
        return !builds.is_begun(function) ? 0 : right(function) == nullptr ? 1 : 2;
    });
    return causes;
}

bool OwnChecks::pass(const std::string& function) {
    if (!known_.contains(function)) known_[function] = ask(function);
    return known_.at(function);
}

bool OwnChecks::ask(const std::string& function) {
    for (const Rubric& rubric : builds_.rubrics())
        for (const PartRubric& part : rubric.parts) {
            if (part.function->name != function) continue;
            if (!builds_.is_begun(function)) return false;
            worker::Worker worker = builds_.worker_for(rubric);
            judge::Student student(worker);
            const auto checks =
                ask_part(rubric, part, seed_, budget_.limited(std::ref(student), "calls")).checks();
            return std::ranges::all_of(checks,
                                       [](const auto& check) { return check.outcome == Outcome::passed; });
        }
    return false;
}

}  // namespace attn
