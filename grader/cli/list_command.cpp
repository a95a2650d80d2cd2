#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/path_text.h"
#include "grader/cli/terminal_settings.h"
#include "grader/report/text.h"
#include "grader/rubric/course.h"
#include "grader/speed/speed_checks.h"

namespace attn::cli {
namespace {

constexpr const char* kListUsage =
    "usage: grader list [options]\n"
    "Shows the assignments of the course in their order, and which of them build on others.\n"
    "  grader list\n"
    "  grader list --assignment 2      its functions, cases, properties, points, inputs and mistakes\n"
    "  grader list --details | less    the same of all assignments\n"
    "  grader list --course eecs498    the path of one of the shipped courses\n"
    "  grader list --json              the path, and the functions with their arguments, for programs\n";

void show_speed(const rubric::PartRubric& part) {
    if (part.speed) {
        std::string scale;
        for (const ask::Scale::Step& step : part.speed->scale.steps)
            scale += fmt::format("{:g} x the plain loops {:g} %, ", step.times_plain, 100 * step.share);
        std::cout << fmt::format("      {} points for speed: {}\n        {}{:g} x the yardstick 100 %\n",
                                 report::points(part.speed->points), speed::speed_check(part).about, scale,
                                 part.speed->scale.yardstick);
    }
    if (part.growth)
        std::cout << fmt::format("      {} points for growth: {}\n", report::points(part.growth->points),
                                 speed::growth_check(part).about);
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

void show_details(const rubric::Rubric& rubric, const rubric::CourseStep& step) {
    std::cout << fmt::format("{}  {}  ({} points)\n", rubric.number, step.whole_title,
                             report::points(rubric.points()));
    for (const rubric::PartRubric& part : rubric.parts) {
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

nlohmann::ordered_json to_json(const rubric::Course& course) {
    auto steps = nlohmann::ordered_json::array();
    for (const rubric::CourseStep& step : course.steps)
        steps.push_back({{"number", step.number},
                         {"title", step.title},
                         {"handout", step.handout},
                         {"about", step.about},
                         {"builds_on", step.builds_on},
                         {"notes", step.notes},
                         {"later", step.later},
                         {"steps", step.steps}});
    return {{"title", course.title}, {"notes", course.notes}, {"assignments", steps}};
}

}  // namespace

int list_command(const Words& words) {
    po::options_description options("options");
    add_assignment_option(options, "show everything about this assignment");
    options.add_options()("details", "show everything about all assignments of the course")(
        "markdown", "the path as a table for a README")(
        "folders",
        "the folders of the course's assignments, and of those whose functions they call, for scripts")(
        "json", "the path, and the functions with their arguments, as JSON");
    add_course_option(options);
    const auto values = parse(words, kListUsage, options, "rest");
    if (!values) return kAllPassed;
    if (values->count("rest") != 0) throw UsageError(std::string("list takes no arguments\n") + kListUsage);

    const auto rubrics = rubric::read_rubrics(Installation().assignments);
    const auto course = rubric::read_course(rubrics, Installation().assignments, course_in(*values));
    const std::optional<int> assignment = assignment_in(*values);
    if (values->count("json") != 0) {
        auto functions = nlohmann::ordered_json::array();
        if (assignment) course.at(*assignment);
        for (const rubric::Rubric& rubric : rubrics)
            if (assignment.value_or(rubric.number) == rubric.number)
                for (const rubric::PartRubric& part : rubric.parts)
                    functions.push_back(to_json(*part.function, rubric.number));
        std::cout << nlohmann::ordered_json({{"course", to_json(course)}, {"functions", functions}}).dump(2)
                  << '\n';
    } else if (values->count("markdown") != 0) {
        std::cout << path_in_markdown(course);
    } else if (values->count("folders") != 0) {
        for (const rubric::Rubric* rubric : rubrics_of(course, rubrics))
            std::cout << "course " << rubric->folder.filename().string() << '\n';
        for (const rubric::Rubric* rubric : called_besides(course, rubrics))
            std::cout << "called " << rubric->folder.filename().string() << '\n';
    } else if (assignment || values->count("details") != 0) {
        for (const rubric::Rubric* rubric : rubric::rubrics_of(course, rubrics, assignment))
            show_details(*rubric, course.at(rubric->number));
    } else {
        report::Lines out(std::cout, colour_wanted(), terminal_width());
        write_path(out, course, rubrics);
    }
    return kAllPassed;
}

}  // namespace attn::cli
