#include "grader/proof/impostors.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/inputs.h"
#include "grader/grading/questions.h"
#include "grader/judge/in_process.h"
#include "grader/judge/influence.h"
#include "grader/judge/property.h"

namespace attn::proof {
namespace {

using rubric::PartRubric;
using rubric::Rubric;

/// `array` with the numbers of another one. Whole numbers are rounded.
Array with_numbers(Array array, const Array& numbers) {
    std::visit(
        [&numbers](auto& values) {
            using Number = typename std::decay_t<decltype(values)>::value_type;
            for (std::size_t k = 0; k < values.size(); ++k) {
                const double x = numbers.as<double>()[k];
                values[k] = static_cast<Number>(std::is_integral_v<Number> ? std::nearbyint(x) : x);
            }
        },
        array.values);
    return array;
}

Array full_of(const Array& array, double value) {
    return ask::map(array, [value](double) { return value; });
}

/// The answer to inputs of which the ignored ones are full of one value, and those that follow from others
/// follow.
Arrays blind_answer(const Impostor& impostor, const ask::Recipe& recipe, const ask::Function& function,
                    Arrays inputs) {
    for (const std::string& name : impostor.ignored)
        if (ask::has(inputs, name))
            inputs = ask::with(inputs, name, full_of(ask::by_name(inputs, name), impostor.value));
    if (recipe.consistent) inputs = recipe.consistent(std::move(inputs));
    Arrays outputs = evaluate(function, inputs, ask::Precision::f64);
    if (impostor.ignored.empty())
        for (Array& output : outputs) output = full_of(output, impostor.value);
    return outputs;
}

/// All of the names, then groups of a quarter of them.
std::vector<std::vector<std::string>> sets_of(const std::vector<std::string>& names) {
    std::vector<std::vector<std::string>> sets{names};
    const std::size_t quarter = (names.size() + 3) / 4;
    for (std::size_t first = 0; quarter < names.size() && first < names.size(); first += quarter) {
        const std::size_t from = std::min(first, names.size() - quarter);
        const auto begin = names.begin() + static_cast<std::ptrdiff_t>(from);
        sets.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(quarter));
    }
    return sets;
}

}  // namespace

std::string Impostor::name() const {
    return fmt::format("{} with {:g} of the influence of {}{}", output.empty() ? "all outputs" : output,
                       influence, ignored.empty() ? "the index" : fmt::format("{}", fmt::join(ignored, ", ")),
                       value == 0 ? "" : fmt::format(", which count as {:g}", value));
}

judge::CallFunction Impostor::student(const ask::Recipe& recipe) const {
    return [impostor = *this, &recipe](const ask::Function& function, const Arrays& inputs,
                                       const std::vector<std::string>& wanted, worker::Placement placement) {
        const auto mix = [&](const Arrays&, Arrays& outputs) {
            const Arrays right = evaluate(function, inputs, ask::Precision::f64),
                         blind = blind_answer(impostor, recipe, function, inputs);
            for (std::size_t o = 0; o < outputs.size(); ++o)
                if (impostor.output.empty() || impostor.output == outputs[o].name)
                    outputs[o] = with_numbers(outputs[o],
                                              ask::combined(impostor.influence, right[o].cast<double>(),
                                                            1 - impostor.influence, blind[o].cast<double>()));
        };
        try {
            return judge::reference_student(mix)(function, inputs, wanted, placement);
        } catch (const std::invalid_argument& refusal) {
            return worker::failure(Outcome::threw, refusal.what());
        }
    };
}

std::vector<Impostor> impostors_of(const judge::Question& question) {
    judge::Runs failed;
    const auto influences = judge::influences_on(question, judge::reference_student(), failed);
    std::vector<Impostor> impostors;
    const auto add = [&impostors](const std::string& output, const std::vector<std::string>& ignored) {
        for (const double value : {0.0, 1.0})
            for (const double influence : {1e-7, 1e-5, 1e-3, 1e-2})
                impostors.push_back({output, ignored, value, influence});
    };
    std::vector<std::string> tensors;
    for (const Array& input : question.make_inputs())
        if (!input.shape.empty()) tensors.push_back(input.name);
    add("", tensors);
    for (const ask::TensorSpec& output : question.function->outputs) {
        std::vector<std::string> names;
        for (const judge::Influence& each : influences)
            if (each.output == output.name) names.push_back(each.input);
        if (names == std::vector<std::string>{"index"})
            add(output.name, {});
        else if (!names.empty())  // otherwise the output is 0 for all inputs
            for (const std::vector<std::string>& ignored : sets_of(names)) add(output.name, ignored);
    }
    return impostors;
}

std::vector<PropertyAndImpostors> ask_impostors(const Rubric& rubric, std::uint64_t seed,
                                                const Sample& sample) {
    std::vector<PropertyAndImpostors> results;
    for (const PartRubric& part : rubric.parts) {
        if (part.properties.empty()) continue;
        const judge::Question question = property_question(rubric, part, seed);
        std::vector<PropertyAndImpostors> of_part;
        std::vector<std::vector<std::string>> compared;
        for (const ask::Property* property : part.properties) {
            of_part.push_back({part.function->name, property->name, 0, 0, {}});
            compared.push_back(judge::run_property(question, *property, judge::reference_student()).outputs);
        }
        for (const Impostor& impostor : drawn(impostors_of(question), sample)) {
            const auto checks =
                judge::judge_properties(question, part.properties, impostor.student(*question.recipe));
            for (std::size_t k = 0; k < checks.size(); ++k) {
                if (!impostor.output.empty() &&
                    std::ranges::find(compared[k], impostor.output) == compared[k].end())
                    continue;
                ++of_part[k].asked;
                const report::Check& check = checks[k];
                const bool passed = check.outcome == Outcome::passed;
                if (passed || (check.outcome == Outcome::wrong && !check.difference)) ++of_part[k].held;
                if (passed) of_part[k].earned_by.push_back(impostor.name());
            }
        }
        std::ranges::move(of_part, std::back_inserter(results));
    }
    return results;
}

}  // namespace attn::proof
