#include "grader/diagnosis/inner_calls.h"

#include <algorithm>

#include <fmt/format.h>

#include "grader/ask/inner_calls.h"

namespace attn::diagnosis {
namespace {

/// Whether the student's answer to this call is right. The inputs are given, so no recipe is needed.
Outcome outcome_of(const judge::Question& outer, const ask::InnerCall& inner,
                   const judge::CallFunction& call) {
    const ask::Recipe given{"given", "", {}, [&inner](const ask::Function&, const ask::Sizes&, ask::Random&) {
                                Arrays tensors;
                                for (const Array& input : inner.inputs)
                                    if (!input.shape.empty()) tensors.push_back(input);
                                return tensors;
                            }};
    judge::Question question = outer;
    question.function = outer.module->find_function(inner.function);
    question.recipe = &given;
    question.sizes = sizes_of(*question.function, inner.inputs);
    question.wanted.clear();
    question.setting = {};
    for (const ask::OptionSpec& option : question.function->options)
        if (!option.length)
            question.setting.options[option.name] =
                question.function->option_value(inner.inputs, option.name);
    return answer(question, call).outcome;
}

/// "f", "f and g", "f, g and h", each with `before` in front of it.
std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k)
        text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
    return text;
}

}  // namespace

std::string about_inner_calls(const judge::Question& question, const Arrays& inputs,
                              const std::vector<std::string>& left_out, const judge::CallFunction& call) {
    std::vector<std::pair<std::string, bool>>
        asked;  // a function that is called twice is right if both calls are
    for (const ask::InnerCall& inner : inner_calls(*question.function, inputs)) {
        if (std::find(left_out.begin(), left_out.end(), inner.function) != left_out.end()) continue;
        const Outcome outcome = outcome_of(question, inner, call);
        if (outcome == Outcome::not_implemented || outcome == Outcome::missing) continue;
        const auto same = [&](const auto& one) { return one.first == inner.function; };
        auto found = std::find_if(asked.begin(), asked.end(), same);
        if (found == asked.end()) found = asked.insert(found, {inner.function, true});
        found->second = found->second && outcome == Outcome::passed;
    }
    std::vector<std::string> right, wrong;
    for (const auto& [function, is_right] : asked) (is_right ? right : wrong).push_back(function);
    const auto is = [](const std::vector<std::string>& names) { return names.size() == 1 ? "is" : "are"; };
    if (right.empty() && wrong.empty()) return {};
    if (right.empty())
        return fmt::format("With the numbers of this case, your {} {} wrong, too.", list(wrong), is(wrong));
    if (wrong.empty())
        return fmt::format(
            "With the numbers of this case, your {} {} right: look at what {} itself does around {}.",
            list(right), is(right), question.function->name, right.size() == 1 ? "it" : "them");
    return fmt::format("With the numbers of this case, your {} {} right, and your {} {} wrong.", list(right),
                       is(right), list(wrong), is(wrong));
}

void add_inner_calls(NumericResult& judged, const std::vector<std::string>& stand_ins,
                     const judge::CallFunction& call) {
    std::optional<std::size_t> shown;
    for (std::size_t k = 0; k < judged.checks.size(); ++k) {
        const report::Check& check = judged.checks[k];
        if (check.diagnosis) return;
        if (check.difference && (!shown || (check.smallest && !judged.checks[*shown].smallest))) shown = k;
    }
    if (!shown) return;
    const std::string sentence =
        about_inner_calls(judged.questions[*shown], judged.verdicts[*shown].inputs, stand_ins, call);
    if (!sentence.empty()) judged.checks[*shown].message += " " + sentence;
}

}  // namespace attn::diagnosis
