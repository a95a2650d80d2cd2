#include "grader/submission/rubric.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/submission/asked_reader.h"
#include "grader/submission/toml_reader.h"

namespace attn::submission {
namespace {

/// Sizes that the function has to refuse are asked for knowingly or not at all.
void check_refused(const TableReader& reader, const checks::Function& function, const checks::Sizes& sizes,
                   bool refused) {
    const std::string why = function.refusal(sizes);
    if (!why.empty() && !refused)
        reader.refuse("sizes", fmt::format("{}, so {} has to refuse these sizes; if that is to be the "
                                           "question, say refused = true",
                                           why, function.name));
    if (why.empty() && refused)
        reader.refuse("refused", fmt::format("{} need not refuse these sizes", function.name));
}

CaseRubric read_case(TableReader reader, const checks::Module& module, const checks::Function& function) {
    CaseRubric result;
    result.name = reader.text("name");
    static_cast<Asked&>(result) = read_asked(reader, module, function);
    check_sizes_of(reader, "sizes", function, *result.recipe, result.sizes);
    check_refused(reader, function, result.sizes, reader.flag("refused"));
    result.why = reader.text("why", "");
    reader.done();
    return result;
}

/// A report tells its checks apart by their names.
void refuse_names_of_speed(const TableReader& reader, const PartRubric& part) {
    for (const CaseRubric& each : part.cases)
        if ((part.speed && each.name == "speed") || (part.growth && each.name == "growth"))
            reader.refuse("cases", fmt::format("'{}' is the name of a check, too; a report could not tell "
                                               "them apart, so rename the case",
                                               each.name));
}

PartRubric read_part(TableReader reader, const Rubric& rubric) {
    constexpr double kMostPoints = 10000;
    const checks::Module& module = *rubric.module;
    PartRubric part;
    const std::string function = reader.text("function");
    part.function = module.find_function(function);
    if (part.function == nullptr)
        reader.refuse("function", fmt::format("there is no function '{}' in this assignment; known are {}",
                                              function, names(module.functions)));
    for (const PartRubric& other : rubric.parts)
        if (other.function == part.function)
            reader.refuse("function", fmt::format("'{}' is a part already", function));
    part.source = reader.text("source", rubric.sources.front());
    if (std::find(rubric.sources.begin(), rubric.sources.end(), part.source) == rubric.sources.end())
        reader.refuse("source", fmt::format("'{}' is not among the sources {}", part.source,
                                            fmt::join(rubric.sources, ", ")));
    part.step = reader.whole("step", 1, 99, 1);
    part.numeric_points = reader.number("numeric", 0, kMostPoints);
    part.property_points = reader.number("properties", 0, kMostPoints, 0);
    for (TableReader& each : reader.tables("cases")) {
        part.cases.push_back(read_case(std::move(each), module, *part.function));
        const auto same = [&](const CaseRubric& other) { return other.name == part.cases.back().name; };
        if (std::count_if(part.cases.begin(), part.cases.end(), same) > 1)
            reader.refuse("cases",
                          fmt::format("two cases of {} are called '{}'", function, part.cases.back().name));
    }
    for (const std::string& wanted : reader.texts("check", true)) {
        const checks::Property* property = module.find_property(function, wanted);
        if (property == nullptr) {
            const auto all = module.properties.find(function);
            reader.refuse("check", fmt::format("{} has no property '{}'; known are {}", function, wanted,
                                               all == module.properties.end() ? "none" : names(all->second)));
        }
        if (std::any_of(part.cases.begin(), part.cases.end(),
                        [&wanted](const CaseRubric& each) { return each.name == wanted; }))
            reader.refuse("check",
                          fmt::format("'{}' is the name of a case, too; a report could not tell them "
                                      "apart, so rename the case",
                                      wanted));
        part.properties.push_back(property);
    }
    if (part.properties.empty() && part.property_points > 0)
        reader.refuse("properties", fmt::format("{:g} points for properties, but 'check' names none",
                                                part.property_points));
    if (!part.properties.empty() && module.find_recipe("normal") == nullptr)
        reader.refuse("check",
                      "properties are looked at on inputs called 'normal', and the checks have none");
    if (!part.properties.empty()) {
        part.property_sizes = reader.sizes("check_sizes");
        check_sizes(reader, "check_sizes", *part.function, part.property_sizes);
        check_accepted(reader, "check_sizes", *part.function, part.property_sizes);
        part.property_setting = read_setting(reader, *part.function, "check_options", "check_absent");
    }
    if (reader.has("speed")) part.speed = read_speed(reader.table("speed"), module, *part.function);
    if (reader.has("growth")) part.growth = read_growth(reader.table("growth"), module, *part.function);
    refuse_names_of_speed(reader, part);
    part.builds_on = reader.texts("builds_on", true);
    for (const std::string& earlier : part.builds_on) {
        if (earlier == function || checks::module_of(earlier) == nullptr)
            reader.refuse("builds_on", fmt::format("'{}' is no other function of any assignment", earlier));
    }
    reader.done();
    return part;
}

}  // namespace

double PartRubric::points_of(std::string_view kind) const {
    if (kind == "numeric") return numeric_points;
    if (kind == "property") return property_points;
    if (kind == "speed") return speed ? speed->points : 0;
    if (kind == "growth") return growth ? growth->points : 0;
    throw std::invalid_argument("no kind of check: " + std::string(kind));
}

double Rubric::points() const {
    double total = 0;
    for (const PartRubric& part : parts)
        for (const std::string_view kind : kKinds) total += part.points_of(kind);
    return total;
}

Rubric read_rubric(const std::filesystem::path& folder) {
    const auto file = folder / "rubric.toml";
    if (!std::filesystem::is_regular_file(file))
        throw RubricError(fmt::format(
            "{}: there is no such file; an assignment's folder holds its rubric.toml", file.string()));
    toml::table table;
    try {
        table = toml::parse_file(file.string());
    } catch (const toml::parse_error& error) {
        throw RubricError(
            fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
    }
    Rubric rubric;
    rubric.folder = folder;
    const std::string name = folder.filename().string();
    const std::string module = name.substr(name.find('_') + 1);
    rubric.module = checks::find_module(module);
    if (rubric.module == nullptr) {
        throw RubricError(fmt::format(
            "{}: there are no checks called '{}' (the folder's name without its number); known are {}",
            folder.string(), module, names(checks::modules())));
    }
    TableReader reader(file, table, "the rubric");
    rubric.number = reader.whole("number", 1, 999);
    rubric.title = reader.text("title");
    rubric.sources = reader.texts("sources");
    for (const std::string& source : rubric.sources)
        if (std::filesystem::path(source).filename() != source || !source.ends_with(".cpp"))
            reader.refuse("sources", fmt::format("'{}' is not the plain name of a .cpp file", source));

    TableReader limits = reader.table("limits");
    constexpr double kLongest_s = 3600;
    rubric.limits.time_s = limits.number("time_s", 0.01, kLongest_s, rubric.limits.time_s);
    rubric.limits.process.memory_mib =
        limits.whole("memory_mib", 64, 1 << 20, rubric.limits.process.memory_mib);
    rubric.limits.process.stack_mib = limits.whole("stack_mib", 1, 1 << 14, rubric.limits.process.stack_mib);
    rubric.limits.output_kib = limits.whole("output_kib", 1, 1 << 20, rubric.limits.output_kib);
    limits.done();
    TableReader judge = reader.table("judge");
    rubric.allowed_yardsticks = judge.number("allowed_yardsticks", 1, 1e6, rubric.allowed_yardsticks);
    judge.done();

    for (TableReader& part : reader.tables("part"))
        rubric.parts.push_back(read_part(std::move(part), rubric));
    reader.done();
    return rubric;
}

std::vector<Rubric> read_rubrics(const std::filesystem::path& folder) {
    if (!std::filesystem::is_directory(folder))
        throw RubricError(
            fmt::format("{}: there is no such folder; it should hold the assignments", folder.string()));
    std::vector<Rubric> rubrics;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_directory()) rubrics.push_back(read_rubric(entry.path()));
    std::sort(rubrics.begin(), rubrics.end(),
              [](const Rubric& a, const Rubric& b) { return a.number < b.number; });
    for (std::size_t k = 1; k < rubrics.size(); ++k) {
        if (rubrics[k - 1].number == rubrics[k].number) {
            throw RubricError(fmt::format("{} and {} both have number {}", rubrics[k - 1].folder.string(),
                                          rubrics[k].folder.string(), rubrics[k].number));
        }
    }
    return rubrics;
}

}  // namespace attn::submission
