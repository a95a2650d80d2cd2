#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/grading/speed_checks.h"
#include "grader/report/text.h"
#include "grader/rubric/rubric.h"

namespace attn::cli {
namespace {

constexpr const char* kListUsage =
    "usage: grader list [options]\n"
    "Shows the assignments with their parts, functions, cases, properties and points.\n"
    "  grader list | less\n"
    "  grader list --assignment 2\n"
    "  grader list --json        the functions with their arguments, for programs\n";

void show_speed(const submission::PartRubric& part) {
    if (part.speed) {
        std::string scale;
        for (const ask::Scale::Step& step : part.speed->scale.steps)
            scale += fmt::format("{:g} x the plain loops {:g} %, ", step.times_plain, 100 * step.share);
        std::cout << fmt::format("      {} points for speed: {}\n        {}{:g} x the yardstick 100 %\n",
                                 report::points(part.speed->points), speed_check(part).about, scale,
                                 part.speed->scale.yardstick);
    }
    if (part.growth)
        std::cout << fmt::format("      {} points for growth: {}\n", report::points(part.growth->points),
                                 growth_check(part).about);
}

nlohmann::ordered_json to_json(const std::vector<ask::TensorSpec>& tensors) {
    auto list = nlohmann::ordered_json::array();
    for (const ask::TensorSpec& tensor : tensors)
        list.push_back({{"name", tensor.name},
                        {"type", name_of(tensor.type)},
                        {"shape", tensor.dims},
                        {"optional", tensor.optional}});
    return list;
}

/// The default of an option as `grader run --set` takes it; null if the option has none.
nlohmann::ordered_json default_of(const ask::OptionSpec& option) {
    if (option.length) return nullptr;
    if (option.choices.empty()) return option.default_value;
    return option.choices.at(static_cast<std::size_t>(option.default_value));
}

nlohmann::ordered_json to_json(const ask::Function& function, int assignment) {
    auto options = nlohmann::ordered_json::array();
    for (const ask::OptionSpec& option : function.options)
        options.push_back(
            {{"name", option.name}, {"default", default_of(option)}, {"choices", option.choices}});
    return {{"name", function.name},
            {"assignment", assignment},
            {"signature", function.signature()},
            {"outputs", to_json(function.outputs)},
            {"inputs", to_json(function.inputs)},
            {"options", options}};
}

void show(const submission::Rubric& rubric) {
    std::cout << fmt::format("{}  {}  ({} points)\n", rubric.number, rubric.title,
                             report::points(rubric.points()));
    for (const submission::PartRubric& part : rubric.parts) {
        std::cout << fmt::format("   {}\n      {} points for {} cases:", part.function->signature(),
                                 report::points(part.numeric_points), part.cases.size());
        for (const auto& c : part.cases) std::cout << ' ' << c.name;
        std::cout << fmt::format("\n      {} points for {} properties:", report::points(part.property_points),
                                 part.properties.size());
        for (const auto* property : part.properties) std::cout << ' ' << property->name;
        std::cout << '\n';
        show_speed(part);
    }
    std::cout << "   inputs for cases:\n";
    for (const ask::Recipe& recipe : rubric.module->recipes)
        std::cout << fmt::format("      {:<16} {}\n", recipe.name, recipe.about);
    std::cout << "   mistakes that the grader recognises:\n";
    for (const ask::Mistake& mistake : rubric.module->mistakes)
        std::cout << fmt::format("      {:<22} {}\n", mistake.name, mistake.when);
}

}  // namespace

int list_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("assignment,a", po::value<int>(), "show only the assignment with this number")(
        "json", "the functions with their arguments as JSON");
    const auto values = parse(words, kListUsage, options, "rest");
    if (!values) return kAllPassed;
    if (values->count("rest") != 0) throw UsageError(std::string("list takes no arguments\n") + kListUsage);

    bool found = false;
    auto functions = nlohmann::ordered_json::array();
    for (const submission::Rubric& rubric : submission::read_rubrics(Installation().assignments)) {
        if (values->count("assignment") != 0 && (*values)["assignment"].as<int>() != rubric.number) continue;
        found = true;
        if (values->count("json") == 0)
            show(rubric);
        else
            for (const submission::PartRubric& part : rubric.parts)
                functions.push_back(to_json(*part.function, rubric.number));
    }
    if (!found) throw UserError("there is no such assignment; `grader list` shows all");
    if (values->count("json") != 0)
        std::cout << nlohmann::ordered_json({{"functions", functions}}).dump(2) << '\n';
    return kAllPassed;
}

}  // namespace attn::cli
