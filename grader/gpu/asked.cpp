#include "grader/gpu/asked.h"

#include "grader/grading/questions.h"

namespace attn::gpu {
namespace {

/// Enough for a device to be busy with, and for the plain loops a matter of a second.
constexpr std::size_t kElements = std::size_t{1} << 21;

std::size_t elements_of(const judge::Question& question) {
    std::size_t count = 0;
    for (const auto* tensors : {&question.function->outputs, &question.function->inputs})
        for (const ask::TensorSpec& tensor : *tensors)
            count += element_count(ask::shape_of(tensor, question.sizes));
    return count;
}

}  // namespace

judge::Question grown(judge::Question question, std::size_t elements) {
    int& length = question.sizes.at(question.function->letters().front());
    while (elements_of(question) < elements) length *= 2;
    return question;
}

std::vector<Asked> all_asked(const std::vector<submission::Rubric>& rubrics, std::uint64_t seed) {
    std::vector<Asked> all;
    for (const submission::Rubric& rubric : rubrics)
        for (const submission::PartRubric& part : rubric.parts) {
            if (part.cuda_cases.empty()) continue;
            Asked& asked = all.emplace_back();
            asked.module = rubric.module;
            asked.function = part.function;
            asked.questions = kernel_questions(rubric, part, seed);
            asked.timed =
                part.speed ? speed_question(rubric, part, seed) : grown(asked.questions.back(), kElements);
            asked.timed.name = "timed";
        }
    return all;
}

}  // namespace attn::gpu
