#include "grader/diagnosis/other_choice.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/inputs.h"
#include "grader/diagnosis/failure_claims.h"
#include "grader/diagnosis/failure_place.h"

namespace attn::diagnosis {
namespace {

/// Whether an answer has the numbers of this choice.
Explains has_numbers_of_choice(const Evidence& answer, const ask::OptionSpec& option, std::size_t choice) {
    if (option_of(*answer.question, option) == static_cast<double>(choice))
        return passed(answer) ? Explains::harmless : Explains::no;
    Arrays inputs = answer.verdict->inputs;
    std::erase_if(inputs, [&option](const Array& input) { return input.name == option.name; });
    inputs.push_back(ask::option(option.name, static_cast<double>(choice)));
    const ask::Function& function = *answer.question->function;
    const Arrays f64 = evaluate(function, inputs, ask::Precision::f64),
                 f32 = evaluate(function, inputs, ask::Precision::f32);
    return explains_numbers(*answer.question, *answer.verdict, &f64, &f32);
}

/// Of each choice that fails, the choices whose numbers all of its answers have. Empty if one has none.
std::map<std::size_t, std::vector<std::string>> choices_of(std::span<const Evidence> answers,
                                                           const ask::OptionSpec& option) {
    std::map<std::size_t, std::vector<std::string>> found;
    for (std::size_t asked = 0; asked < option.choices.size(); ++asked) {
        std::vector<Evidence> of_choice;
        std::ranges::copy_if(answers, std::back_inserter(of_choice), [&](const Evidence& answer) {
            return option_of(*answer.question, option) == static_cast<double>(asked) &&
                   answer.question->refusal().empty();
        });
        if (std::ranges::all_of(of_choice, passed)) continue;
        for (std::size_t other = 0; other < option.choices.size(); ++other) {
            if (other == asked) continue;
            if (std::ranges::all_of(of_choice, [&](const Evidence& answer) {
                    const Explains said = has_numbers_of_choice(answer, option, other);
                    return said == Explains::yes || (said == Explains::harmless && passed(answer));
                }))
                found[asked].push_back(option.choices[other]);
        }
        if (found[asked].empty()) return {};
    }
    return found;
}

}  // namespace

std::optional<report::Diagnosis> right_for_another_choice(std::span<const Evidence> answers) {
    if (answers.empty()) return std::nullopt;
    for (const ask::OptionSpec& option : answers.front().question->function->options) {
        const auto found = choices_of(answers, option);
        if (found.empty()) continue;
        report::Diagnosis diagnosis;
        for (const auto& [asked, others] : found)
            diagnosis.sentence +=
                fmt::format("{0}With {1} = {2} your output is exactly what belongs to {1} = {3}.",
                            diagnosis.sentence.empty() ? "" : " ", option.name, option.choices[asked],
                            fmt::join(others, " or "));
        diagnosis.hints.push_back(
            fmt::format("Follow the argument {} through your code. Which lines run for each of its values?",
                        option.name));
        return diagnosis;
    }
    return std::nullopt;
}

}  // namespace attn::diagnosis
