#include "grader/questions.h"

namespace attn {

using submission::PartRubric;
using submission::Rubric;

judge::Question numeric_question(const Rubric& rubric, const PartRubric& part,
                                 const submission::CaseRubric& asked, std::uint64_t seed) {
    return {rubric.module, part.function, asked.recipe, asked.sizes,
            asked.outputs, seed,          asked.name,   rubric.allowed_yardsticks,
            asked.setting};
}

std::vector<judge::Question> numeric_questions(const Rubric& rubric, const PartRubric& part,
                                               std::uint64_t seed) {
    std::vector<judge::Question> questions;
    for (const submission::CaseRubric& c : part.cases)
        questions.push_back(numeric_question(rubric, part, c, seed));
    return questions;
}

judge::Question property_question(const Rubric& rubric, const PartRubric& part, std::uint64_t seed) {
    return {rubric.module,
            part.function,
            rubric.module->find_recipe("normal"),
            part.property_sizes,
            {},
            seed,
            "properties",
            rubric.allowed_yardsticks,
            part.property_setting};
}

}  // namespace attn
