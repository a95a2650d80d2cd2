#include <iostream>

#include <fmt/format.h>

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
    "  grader list --assignment 2\n";

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

}  // namespace

int list_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("assignment,a", po::value<int>(), "show only the assignment with this number");
    const auto values = parse(words, kListUsage, options, "rest");
    if (!values) return kAllPassed;
    if (values->count("rest") != 0) throw UsageError(std::string("list takes no arguments\n") + kListUsage);

    bool found = false;
    for (const submission::Rubric& rubric : submission::read_rubrics(Installation().assignments)) {
        if (values->count("assignment") != 0 && (*values)["assignment"].as<int>() != rubric.number) continue;
        found = true;
        std::cout << fmt::format("{}  {}  ({} points)\n", rubric.number, rubric.title,
                                 report::points(rubric.points()));
        for (const submission::PartRubric& part : rubric.parts) {
            std::cout << fmt::format("   {}\n      {} points for {} cases:", part.function->signature(),
                                     report::points(part.numeric_points), part.cases.size());
            for (const auto& c : part.cases) std::cout << ' ' << c.name;
            std::cout << fmt::format("\n      {} points for {} properties:",
                                     report::points(part.property_points), part.properties.size());
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
    if (!found) throw UserError("there is no such assignment; `grader list` shows all");
    return kAllPassed;
}

}  // namespace attn::cli
