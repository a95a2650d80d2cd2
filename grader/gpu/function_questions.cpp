#include "grader/gpu/function_questions.h"

#include "grader/grading/questions.h"

namespace attn::gpu {
namespace {

/// Enough work for a device, and about a second for the plain loops.
constexpr std::size_t kElements = std::size_t{1} << 21;

std::size_t elements_of(const judge::Question& question) {
    std::size_t count = 0;
    for (const auto* tensors : {&question.function->outputs, &question.function->inputs})
        for (const ask::TensorSpec& tensor : *tensors)
            count += element_count(ask::shape_of(tensor, question.sizes));
    return count;
}

}  // namespace

judge::Question enlarged(judge::Question question, std::size_t elements) {
    int& length = question.sizes.at(question.function->letters().front());
    while (elements_of(question) < elements) length *= 2;
    return question;
}

std::vector<FunctionQuestions> questions_for_all_functions(const std::vector<rubric::Rubric>& rubrics,
                                                           std::uint64_t seed) {
    std::vector<FunctionQuestions> all;
    for (const rubric::Rubric& rubric : rubrics)
        for (const rubric::PartRubric& part : rubric.parts) {
            if (part.cuda_cases.empty()) continue;
            FunctionQuestions& entry = all.emplace_back();
            entry.module = rubric.module;
            entry.function = part.function;
            entry.questions = kernel_questions(rubric, part, seed);
            entry.timed = part.cuda_timed ? kernel_timing_question(rubric, part, seed)
                                          : enlarged(entry.questions.back(), kElements);
            entry.timed.name = "timed";
        }
    return all;
}

}  // namespace attn::gpu
