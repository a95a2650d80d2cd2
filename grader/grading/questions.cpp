#include "grader/grading/questions.h"

namespace attn {

using submission::PartRubric;
using submission::Rubric;

namespace {

judge::Question question(const Rubric& rubric, const PartRubric& part, const submission::Asked& asked,
                         const ask::Sizes& sizes, const std::string& name, std::uint64_t seed) {
    return {rubric.module, part.function, asked.recipe, sizes,
            asked.outputs, seed,          name,         rubric.allowed_yardsticks,
            asked.setting};
}

}  // namespace

judge::Question numeric_question(const Rubric& rubric, const PartRubric& part,
                                 const submission::CaseRubric& asked, std::uint64_t seed) {
    return question(rubric, part, asked, asked.sizes, asked.name, seed);
}

namespace {

std::vector<judge::Question> questions_of(const Rubric& rubric, const PartRubric& part,
                                          const std::vector<submission::CaseRubric>& cases,
                                          std::uint64_t seed) {
    std::vector<judge::Question> questions;
    for (const submission::CaseRubric& c : cases)
        questions.push_back(numeric_question(rubric, part, c, seed));
    return questions;
}

}  // namespace

std::vector<judge::Question> numeric_questions(const Rubric& rubric, const PartRubric& part,
                                               std::uint64_t seed) {
    return questions_of(rubric, part, part.cases, seed);
}

std::vector<judge::Question> kernel_questions(const Rubric& rubric, const PartRubric& part,
                                              std::uint64_t seed) {
    return questions_of(rubric, part, part.cuda_cases, seed);
}

judge::Question speed_question(const Rubric& rubric, const PartRubric& part, std::uint64_t seed) {
    return question(rubric, part, part.speed.value(), part.speed->sizes, "speed", seed);
}

judge::Question growth_question(const Rubric& rubric, const PartRubric& part, int length,
                                std::uint64_t seed) {
    return question(rubric, part, part.growth.value(), part.growth->sizes_at(length), "growth", seed);
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
