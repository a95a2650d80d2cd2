#include "grader/diagnosis/other_choice.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/inputs.h"
#include "grader/diagnosis/diagnose.h"
#include "grader/diagnosis/explanations.h"
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

/// Whether a wrong call of the failing branches is right with each choice that was left out. If it fails there as well, the
/// choice is not what makes the difference.
bool is_right_otherwise(const FailingBranches& branches, const judge::CallFunction& call) {
    const auto choice_of = [](const ask::OptionSpec& option) {
        return [&option](const Evidence& answer) { return option_of(*answer.question, option); };
    };
    const Evidence& failed = *std::ranges::find_if(
        branches.answers, [](const Evidence& answer) { return has_wrong_numbers(*answer.verdict); });
    for (const ask::OptionSpec& option : failed.question->function->options) {
        if (std::ranges::find(branches.options, option.name) == branches.options.end()) continue;
        for (std::size_t choice = 0; choice < option.choices.size(); ++choice) {
            const auto value = static_cast<double>(choice);
            if (std::ranges::find(branches.answers, value, choice_of(option)) != branches.answers.end())
                continue;
            judge::Question other = *failed.question;
            other.setting.options[option.name] = value;
            if (other.is_accepted() && judge::answer(other, call).outcome != Outcome::passed) return false;
        }
    }
    return true;
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

void name_in_branches(NumericResult& judged, const std::vector<Evidence>& answers,
                      const judge::CallFunction& call) {
    const auto& questions = judged.questions;
    const auto& verdicts = judged.verdicts;
    FailingBranches found = in_failing_branches(answers);
    if (found.options.empty()) return;
    Candidates named = Explanations(found.answers).single_of_all();
    if (named.empty()) return;
    // A choice can be right because its cases do not show the mistake. One option alone may say enough.
    for (const std::string& option : std::vector(found.options)) {
        FailingBranches fewer = in_failing_branches(answers, {option});
        Candidates same = Explanations(fewer.answers).single_of_all();
        if (fewer.answers.size() <= found.answers.size() || same.empty()) continue;
        found = std::move(fewer), named = std::move(same);
        break;
    }
    const auto& [failing, branches, options] = found;
    if (!is_right_otherwise(found, call)) return;
    Explanations explanations(failing);
    for (std::size_t k = 0; k < questions.size(); ++k) {
        const auto answer = std::ranges::find(failing, &questions[k], &Evidence::question) - failing.begin();
        if (!has_wrong_numbers(verdicts[k]) ||
            candidates_for(named, explanations, failing, static_cast<std::size_t>(answer)).empty())
            continue;
        report::Diagnosis diagnosis = diagnosis::describe(*questions[k].module, named);
        diagnosis.sentence = fmt::format("With {}, y{}", branches, diagnosis.sentence.substr(1));
        judged.checks[k].diagnosis = std::move(diagnosis);
        judged.mistakes[k] = named;
    }
}

}  // namespace attn::diagnosis
