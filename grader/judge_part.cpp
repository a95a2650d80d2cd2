#include "grader/judge_part.h"

#include "grader/judge/property.h"
#include "grader/questions.h"

namespace attn {

std::vector<report::Check> Judged::checks() const {
    auto all = numeric.checks;
    all.insert(all.end(), properties.begin(), properties.end());
    return all;
}

Judged judge_part(const submission::Rubric& rubric, const submission::PartRubric& part, std::uint64_t seed,
                  const judge::Ask& ask) {
    Judged judged{judge::judge_numeric(numeric_questions(rubric, part, seed), ask), {}};
    if (!part.properties.empty())
        judged.properties =
            judge::judge_properties(property_question(rubric, part, seed), part.properties, ask);
    return judged;
}

}  // namespace attn
