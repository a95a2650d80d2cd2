#include "grader/grading/judge_part.h"

#include "grader/grading/questions.h"
#include "grader/judge/property.h"

namespace attn {

std::vector<report::Check> Judged::checks() const {
    auto all = numeric.checks;
    all.insert(all.end(), properties.begin(), properties.end());
    return all;
}

report::Check not_compiled(const std::string& name, report::CheckKind kind, const std::string& about,
                           const report::SourceFile& source) {
    report::Check check;
    check.name = name;
    check.kind = kind;
    check.about = about;
    check.outcome = Outcome::not_compiled;
    check.message = source.messages.substr(0, source.messages.find('\n'));
    return check;
}

std::vector<report::Check> not_compiled(const std::vector<rubric::CaseRubric>& cases,
                                        const report::SourceFile& source) {
    std::vector<report::Check> checks;
    for (const rubric::CaseRubric& each : cases)
        checks.push_back(not_compiled(each.name, report::CheckKind::numeric, each.about(), source));
    return checks;
}

Judged ask_part(const rubric::Rubric& rubric, const rubric::PartRubric& part, std::uint64_t seed,
                const judge::CallFunction& call) {
    Judged judged{diagnosis::ask_numeric(numeric_questions(rubric, part, seed), call), {}};
    if (!part.properties.empty())
        judged.properties =
            judge::judge_properties(property_question(rubric, part, seed), part.properties, call);
    return judged;
}

Judged judge_part(const rubric::Rubric& rubric, const rubric::PartRubric& part, std::uint64_t seed,
                  const judge::CallFunction& call) {
    Judged judged = ask_part(rubric, part, seed, call);
    diagnosis::name_mistakes(judged.numeric, call);
    return judged;
}

}  // namespace attn
