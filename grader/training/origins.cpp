#include "grader/training/origins.h"

#include <iostream>

#include <fmt/format.h>

namespace attn::trained {

std::set<std::string> all_functions(const std::vector<rubric::Rubric>& rubrics) {
    std::set<std::string> names;
    for (const rubric::Rubric& rubric : rubrics)
        for (const rubric::PartRubric& part : rubric.parts) names.insert(part.function->name);
    return names;
}

std::vector<Origin> origins_with_assignments(const Functions& functions,
                                             const std::function<int(const std::string&)>& assignment_of) {
    std::vector<Origin> origins = functions.origins();
    for (Origin& origin : origins) origin.assignment = assignment_of(origin.function);
    return origins;
}

void print(const std::vector<Origin>& origins) {
    for (const Origin& origin : origins)
        std::cout << fmt::format("   {:<30} {:<16} {}\n", origin.function,
                                 origin.students ? "yours" : "the reference's", origin.note);
}

}  // namespace attn::trained
