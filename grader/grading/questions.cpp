#include "grader/grading/questions.h"

#include <utility>

namespace attn {

using rubric::PartRubric;
using rubric::Rubric;

namespace {

judge::Question question(const Rubric& rubric, const ask::CallSpec& call, const std::string& name,
                         std::uint64_t seed) {
    return {call, rubric.module, seed, name, rubric.allowed_yardsticks};
}

std::vector<judge::Question> questions_of(const Rubric& rubric, const std::vector<rubric::CaseRubric>& cases,
                                          std::uint64_t seed) {
    std::vector<judge::Question> questions;
    for (const rubric::CaseRubric& rules : cases) questions.push_back(numeric_question(rubric, rules, seed));
    return questions;
}

}  // namespace

judge::Question numeric_question(const Rubric& rubric, const rubric::CaseRubric& rules, std::uint64_t seed) {
    judge::Question result = question(rubric, rules, rules.name, seed);
    result.accepted_at = rules.accepted_at;
    return result;
}

std::vector<judge::Question> numeric_questions(const Rubric& rubric, const PartRubric& part,
                                               std::uint64_t seed) {
    std::vector<judge::Question> questions = questions_of(rubric, part.cases, seed);
    for (std::size_t k = 0; k < questions.size(); ++k) {
        questions[k].pictures = part.cases[k].pictures;
        questions[k].look = part.cases[k].look;
    }
    return questions;
}

std::vector<judge::Question> kernel_questions(const Rubric& rubric, const PartRubric& part,
                                              std::uint64_t seed) {
    return questions_of(rubric, part.cuda_cases, seed);
}

void keep_back(std::vector<judge::Question>& questions, const PartRubric& part, bool secret_seed) {
    for (judge::Question& question : questions)
        question.kept_back = part.disclosure_of(question.name, secret_seed) != report::Disclosure::full;
}

judge::Question kernel_timing_question(const Rubric& rubric, const PartRubric& part, std::uint64_t seed) {
    return question(rubric, part.cuda_timed.value(), "timed", seed);
}

judge::Question speed_question(const Rubric& rubric, const PartRubric& part, std::uint64_t seed) {
    return question(rubric, part.speed.value(), "speed", seed);
}

judge::Question growth_question(const Rubric& rubric, const PartRubric& part, int length,
                                std::uint64_t seed) {
    auto call = static_cast<const ask::CallSpec&>(part.growth.value());
    call.sizes = part.growth->sizes_at(std::move(call.sizes), length);
    return question(rubric, call, "growth", seed);
}

judge::Question property_question(const Rubric& rubric, const PartRubric& part, std::uint64_t seed) {
    return question(rubric, part.property_call, "properties", seed);
}

}  // namespace attn
