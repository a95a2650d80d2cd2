#include "grader/grading/one_mistake.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grader/base/listed_in_words.h"

namespace attn {
namespace {

using NameSet = std::set<std::string>;

/// Whether some answer of the function is wrong for a reason of its own.
bool is_wrong(const report::Part& part) {
    return part.mistake_charged_at.empty() &&
           std::ranges::any_of(part.checks, [](const report::Check& check) {
               return report::is_function_check(check) &&
                      (check.outcome == Outcome::wrong || check.outcome == Outcome::not_finite);
           });
}

/// Whether an answer has wrong numbers. Inputs that are not refused say nothing about what a function calls.
bool has_wrong_numbers(const report::Part& part) {
    return std::ranges::any_of(part.checks, [](const report::Check& check) {
        return report::is_function_check(check) && (check.outcome == Outcome::not_finite ||
                                                    (check.outcome == Outcome::wrong && check.difference));
    });
}

/// What the report says of the listed mistakes that it names for the function.
NameSet named_mistakes(const report::Part& part) {
    NameSet said;
    for (const report::Check& check : part.checks)
        if (report::is_function_check(check) && check.diagnosis && !check.diagnosis->mistakes.empty())
            said.insert(check.diagnosis->sentence);
    return said;
}

/// "lstm_cell, gru_cell and encode", with `first` instead of the first name; of many names the first ones and "5 others".
std::string in_words(const std::vector<report::Part*>& group, std::vector<std::string> first = {}) {
    constexpr std::size_t kMost = 4;
    for (std::size_t k = 1; k < group.size(); ++k) {
        const std::size_t left = group.size() - k;
        if (left > 1 && first.size() + 1 >= kMost) {
            first.push_back(fmt::format("{} others", left));
            break;
        }
        first.push_back(group[k]->function);
    }
    return listed_in_words(first, "and");
}

}  // namespace

void add_costs_elsewhere(const std::map<std::string, compile::Calls>& calls, report::Assignment& assignment) {
    std::map<std::string, std::vector<report::Part*>> with_mistake;
    std::map<std::pair<std::string, std::string>, std::vector<report::Part*>> with_helper;  // of a file
    NameSet functions, of_right_ones;
    for (const report::Part& part : assignment.parts) functions.insert(part.function);
    for (report::Part& part : assignment.parts) {
        const auto known = calls.find(part.function);
        const NameSet helpers =
            known == calls.end() ? NameSet() : compile::called_from(known->second, part.function, functions);
        const NameSet named = named_mistakes(part);
        if (report::all_correct(part) && part.mistake_charged_at.empty())
            of_right_ones.insert(helpers.begin(), helpers.end());
        if (!is_wrong(part)) continue;
        for (const std::string& said : named) with_mistake[said].push_back(&part);
        if (named.empty() && has_wrong_numbers(part))
            for (const std::string& helper : helpers)
                with_helper[{part.defined_at.file, helper}].push_back(&part);
    }
    const auto add = [](report::Part& part, const std::string& sentence) {
        part.costs_elsewhere += (part.costs_elsewhere.empty() ? "" : "; ") + sentence;
    };
    for (const auto& [said, group] : with_mistake)
        if (group.size() > 1)
            add(*group.front(), fmt::format("{} {} the same mistake, which costs points there, too",
                                            in_words(group), group.size() > 2 ? "have" : "has"));
    std::map<std::vector<report::Part*>, std::vector<std::string>> helpers_of_group;
    for (const auto& [helper, group] : with_helper)
        if (group.size() > 1 && !of_right_ones.contains(helper.second))
            helpers_of_group[group].push_back(helper.second);
    for (const auto& [group, helpers] : helpers_of_group)
        add(*group.front(), fmt::format("{} call your {}, where a mistake costs points in each of them",
                                        in_words(group, {"this function"}), listed_in_words(helpers, "and")));
}

}  // namespace attn
