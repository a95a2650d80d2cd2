#include <iostream>

#include <fmt/format.h>

#include "grader/ask/module.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"

namespace attn::cli {
namespace {

constexpr const char* kCatalogueUsage =
    "usage: grader catalogue\n"
    "Shows what the author of a new assignment can use or take as an example: the recipes for inputs and "
    "the\n"
    "properties of all assignments, and the helper functions with their comments.\n"
    "  grader catalogue | less\n"
    "  grader catalogue | grep -i permut\n"
    "Exit code: 0, or 2 for unknown arguments.\n";

void show_recipes() {
    std::cout << "Recipes: how inputs are made (name, assignment, description)\n";
    for (const ask::Module& module : ask::modules())
        for (const ask::Recipe& recipe : module.recipes)
            std::cout << fmt::format("  {:<20}  {:<18}  {}\n", recipe.name, module.name, recipe.about);
}

void show_properties() {
    std::cout << "\nProperties: what holds for every right answer (name, function, statement)\n";
    for (const ask::Module& module : ask::modules())
        for (const auto& [function, properties] : module.properties)
            for (const ask::Property& property : properties)
                std::cout << fmt::format("  {:<34}  {:<28}  {}\n", property.name, function,
                                         property.statement);
}

void show_mistakes() {
    std::cout << "\nMistakes that the grader recognises (`grader list` describes them)\n";
    for (const ask::Module& module : ask::modules())
        std::cout << fmt::format("  {:<18}  {:>2}\n", module.name, module.mistakes.size());
}

}  // namespace

int catalogue_command(const Words& words) {
    po::options_description options("options");
    const auto values = parse(words, kCatalogueUsage, options, "rest");
    if (!values) return kAllPassed;
    if (values->count("rest") != 0)
        throw UsageError(std::string("catalogue takes no arguments\n") + kCatalogueUsage);
    show_recipes();
    show_properties();
    show_mistakes();
    std::cout << "\nHelpers, by header\n" << kHelperText;
    return kAllPassed;
}

}  // namespace attn::cli
