#include "grader/proof/refusals.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "grader/ask/dims.h"
#include "grader/ask/inputs.h"
#include "grader/ask/least_lengths.h"
#include "grader/grading/questions.h"
#include "grader/proof/asked_case.h"

namespace attn::proof {
namespace {

using ask::Function;
using ask::NumberRange;

/// A call of a case, or one that could be.
struct AskedCall {
    ask::Sizes sizes;
    Arrays inputs;
    bool refused = false;
};

struct WrongRefusal {
    std::string said;
    /// It refuses lengths. That may be impossible: a length of an output may follow from others.
    bool of_lengths;
    std::function<bool(const AskedCall&)> refuses;
};

std::vector<double> numbers_of(const Function& function, const AskedCall& call, const std::string& input) {
    for (const ask::OptionSpec& option : function.options)
        if (option.name == input) return {function.option_value(call.inputs, input)};
    std::vector<double> numbers;
    for (const Array& array : call.inputs)
        for (std::size_t k = 0; array.name == input && k < array.count(); ++k)
            numbers.push_back(number_at(array, k));
    return numbers;
}

/// The refusals that take something which `range` forbids, or refuse something which it allows.
void add_wrong_ranges(const Function& function, const NumberRange& range, std::vector<WrongRefusal>& wrong) {
    Function others = function;
    std::erase_if(others.ranges, [&range](const NumberRange& each) {
        return each.input == range.input && each.least == range.least && each.end == range.end;
    });
    const auto add = [&](const std::string& said, const std::function<bool(const AskedCall&, double)>& is_bad,
                         bool only_first = false) {
        wrong.push_back({said, false, [=](const AskedCall& call) {
                             if (!others.refusal(call.sizes, call.inputs).empty()) return true;
                             std::vector<double> numbers = numbers_of(function, call, range.input);
                             if (only_first) numbers.resize(std::min<std::size_t>(numbers.size(), 1));
                             return std::ranges::any_of(numbers, [&](double x) { return is_bad(call, x); });
                         }});
    };
    const std::string& name = range.input;
    if (range.end.empty()) {
        add("takes a negative " + name, [](const AskedCall&, double x) { return x == 0; });
        add(fmt::format("takes {} = 0", name), [](const AskedCall&, double x) { return x < 0; });
        add(fmt::format("refuses a {} above 1", name),
            [](const AskedCall&, double x) { return x <= 0 || x > 1; });
        add(fmt::format("refuses {} = 1", name), [](const AskedCall&, double x) { return x <= 0 || x == 1; });
        return;
    }
    const auto end_of = [range](const AskedCall& call) { return ask::length_of(range.end, call.sizes); };
    const int least = range.least;
    add(fmt::format("takes a {} below {}", name, least),
        [=](const AskedCall& call, double x) { return x >= end_of(call); });
    add(fmt::format("takes a {} of {}", name, range.end),
        [=](const AskedCall&, double x) { return x < least; });
    add(fmt::format("refuses a {} of {}", name, least),
        [=](const AskedCall& call, double x) { return x <= least || x >= end_of(call); });
    add(fmt::format("refuses a {} of {} - 1", name, range.end),
        [=](const AskedCall& call, double x) { return x < least || x >= end_of(call) - 1; });
    const bool is_option = std::ranges::any_of(
        function.options, [&name](const ask::OptionSpec& option) { return option.name == name; });
    if (!is_option)
        add(
            fmt::format("looks at the first number of {} only", name),
            [=](const AskedCall& call, double x) { return x < least || x >= end_of(call); }, true);
}

std::vector<WrongRefusal> wrong_refusals(const Function& function) {
    std::vector<WrongRefusal> wrong;
    for (std::size_t k = 0; k < function.divides.size(); ++k) {
        const auto& [divisor, length] = function.divides[k];
        Function others = function;
        others.divides.erase(others.divides.begin() + static_cast<std::ptrdiff_t>(k));
        wrong.push_back(
            {fmt::format("takes a {} that {} does not divide", length, divisor), false,
             [others](const AskedCall& call) { return !others.refusal(call.sizes, call.inputs).empty(); }});
    }
    const std::vector<std::string> letters = function.letters();
    for (const NumberRange& range : function.ranges)  // least lengths are not refused
        if (std::ranges::find(letters, range.input) == letters.end() || !range.end.empty())
            add_wrong_ranges(function, range, wrong);
    const auto refused_lengths = [&](const std::string& said,
                                     const std::function<bool(const ask::Sizes&)>& also) {
        wrong.push_back(
            {said, true, [also](const AskedCall& call) { return call.refused || also(call.sizes); }});
    };
    for (const std::string& a : letters) {
        refused_lengths(fmt::format("refuses {} = 1", a),
                        [a](const auto& sizes) { return sizes.at(a) == 1; });
        for (const std::string& b : letters)
            if (a != b)
                refused_lengths(fmt::format("refuses {} > {}", a, b),
                                [a, b](const auto& sizes) { return sizes.at(a) > sizes.at(b); });
    }
    return wrong;
}

bool is_noticed(const std::vector<AskedCall>& calls, const WrongRefusal& wrong) {
    return std::ranges::any_of(
        calls, [&wrong](const AskedCall& call) { return wrong.refuses(call) != call.refused; });
}

/// Calls that the contract allows: with one length of 2 among ones, or one of 1 among twos.
std::vector<AskedCall> allowed_calls(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                     std::uint64_t seed) {
    std::vector<AskedCall> calls;
    for (const std::string& letter : part.function->letters())
        for (const int other : {1, 2})
            for (const ask::Recipe& recipe : rubric.module->recipes) {
                judge::Question question = numeric_question(rubric, part.cases.front(), seed);
                question.recipe = &recipe;
                question.setting = {};
                for (const std::string& each : part.function->letters())
                    question.sizes[each] =
                        std::max(each == letter ? 3 - other : other, ask::least_length(*part.function, each));
                if (!recipe.fixed.empty() || asked_or_none(question) == nullptr) continue;
                calls.push_back({question.sizes, question.make_inputs(), false});
                break;
            }
    return calls;
}

}  // namespace

std::vector<std::string> unnoticed_refusals(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                            std::uint64_t seed) {
    std::vector<AskedCall> asked;
    for (const judge::Question& question : numeric_questions(rubric, part, seed))
        asked.push_back({question.sizes, question.make_inputs(), !question.refusal().empty()});
    const std::vector<AskedCall> allowed = allowed_calls(rubric, part, seed);
    std::vector<std::string> unnoticed;
    for (const WrongRefusal& wrong : wrong_refusals(*part.function)) {
        const bool possible = !wrong.of_lengths || is_noticed(allowed, wrong);
        if (possible && !is_noticed(asked, wrong)) unnoticed.push_back(wrong.said);
    }
    return unnoticed;
}

}  // namespace attn::proof
