#include "grader/rubric/case_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/rubric/call_reader.h"

namespace attn::rubric {
namespace {

/// Why the function must refuse these sizes and numbers; empty: it must not. Requires `refused` = true for those
/// that it must refuse, and only for those. Inputs are made only for a case with refused = true. Making those of
/// all cases would take longer than most commands; judge_numeric() finds a case that should have said it.
std::string check_refused(const TableReader& reader, const ask::CallSpec& call, bool refused) {
    const ask::Function& function = *call.function;
    std::string why = function.refusal(call.sizes);
    // Recipes with a scene read data, whose folder may not be known yet. They refuse nothing.
    if (refused && why.empty() && !function.ranges.empty() && !call.recipe->scene) {
        ask::Random random(1, "numbers to refuse");
        why = function.refusal(call.sizes, call.make_inputs(random));
    }
    if (!why.empty() && !refused)
        reader.refuse("sizes", fmt::format("{}, so {} must refuse these sizes; if the case is to "
                                           "test that, say refused = true",
                                           why, function.name));
    if (why.empty() && refused)
        reader.refuse("refused", fmt::format("{} does not have to refuse these {}", function.name,
                                             function.ranges.empty() ? "sizes" : "inputs"));
    return why;
}

/// "P" is a picture of an output, "P P^T" one of the products of its rows. A vector is drawn as a curve. The recipe may
/// have further drawings.
void check_pictures(const TableReader& reader, const ask::Function& function, const ask::Recipe& recipe,
                    const std::vector<std::string>& pictures) {
    std::vector<std::string> known;
    for (const ask::TensorSpec& output : function.outputs) {
        if (output.dims.empty()) continue;
        known.push_back(output.name);
        if (output.dims.size() < 2) continue;
        known.push_back(ask::name_of_products(output.name));
    }
    for (const ask::DrawingRecipe& drawing : recipe.drawings) known.push_back(drawing.name);
    for (const std::string& picture : pictures)
        if (std::ranges::find(known, picture) == known.end())
            reader.refuse("pictures", fmt::format("'{}' is no picture of {}; there are {}", picture,
                                                  function.name, fmt::join(known, ", ")));
}

CaseRubric read_case(TableReader reader, const ask::Module& module, const ask::Function& function) {
    CaseRubric result;
    result.name = reader.text("name");
    static_cast<ask::CallSpec&>(result) = read_call(reader, module, function);
    check_sizes_of(reader, "sizes", function, *result.recipe, result.sizes);
    const bool refused = reader.flag("refused");
    const std::string refusal = check_refused(reader, result, refused);
    if (!refused) result.accepted_at = reader.place_of("inputs");
    result.why = reader.text("why", refusal);
    result.pictures = reader.texts("pictures", true);
    check_pictures(reader, function, *result.recipe, result.pictures);
    result.look = reader.text("look", "");
    if (!result.look.empty() && result.pictures.empty())
        reader.refuse("look", "a case without pictures has nothing to look at");
    if (reader.has("disclosure")) result.disclosure = read_disclosure(reader, "disclosure");
    reader.done();
    return result;
}

}  // namespace

void read_cases(TableReader& reader, const ask::Module& module, const ask::Function& function,
                std::vector<CaseRubric>& cases) {
    for (TableReader& each : reader.tables("cases")) {
        cases.push_back(read_case(std::move(each), module, function));
        const auto same = [&](const CaseRubric& other) { return other.name == cases.back().name; };
        if (std::count_if(cases.begin(), cases.end(), same) > 1)
            reader.refuse("cases",
                          fmt::format("two cases of {} are called '{}'", function.name, cases.back().name));
    }
}

void refuse_shared_names(const TableReader& reader, const PartRubric& part) {
    for (const CaseRubric& each : part.cases) {
        const bool shared =
            (part.speed && each.name == "speed") || (part.growth && each.name == "growth") ||
            std::any_of(part.properties.begin(), part.properties.end(),
                        [&each](const ask::Property* property) { return property->name == each.name; });
        if (shared)
            reader.refuse("cases", fmt::format("'{}' is also the name of another check; the names in a "
                                               "report must be different, so rename the case",
                                               each.name));
    }
}

}  // namespace attn::rubric
