#include "grader/rubric/secret_cases.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/rubric/case_reader.h"

namespace attn::rubric {
namespace {

PartRubric& part_named(TableReader& reader, Rubric& rubric) {
    const std::string function = reader.text("function");
    std::vector<std::string> known;
    for (PartRubric& part : rubric.parts) {
        if (part.function->name == function) return part;
        known.push_back(part.function->name);
    }
    reader.refuse("function",
                  fmt::format("the rubric has no part '{}'; known are {}", function, fmt::join(known, ", ")));
}

}  // namespace

void add_secret_cases(Rubric& rubric) {
    const auto file = rubric.folder / "secret.toml";
    if (!std::filesystem::exists(file)) return;
    const toml::table table = parse_toml(file);
    TableReader reader(file, table, "the file of secret cases");
    std::set<const PartRubric*> extended;
    for (TableReader& each : reader.tables("part")) {
        PartRubric& part = part_named(each, rubric);
        if (!extended.insert(&part).second)
            each.refuse("function", fmt::format("there is already a part '{}'", part.function->name));
        const std::size_t known = part.cases.size();
        read_cases(each, *rubric.module, *part.function, part.cases);
        if (part.cuda_points > 0)
            part.cuda_cases.insert(part.cuda_cases.end(),
                                   part.cases.begin() + static_cast<std::ptrdiff_t>(known), part.cases.end());
        refuse_shared_names(each, part);
        each.done();
    }
    reader.done();
}

}  // namespace attn::rubric
