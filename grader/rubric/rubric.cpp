#include "grader/rubric/rubric.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/report.h"
#include "grader/rubric/call_reader.h"
#include "grader/rubric/case_reader.h"
#include "grader/rubric/course.h"
#include "grader/rubric/secret_cases.h"
#include "grader/rubric/toml_reader.h"

namespace attn::rubric {
namespace {

PartRubric read_part(TableReader reader, const Rubric& rubric) {
    constexpr double kMostPoints = 10000;
    const ask::Module& module = *rubric.module;
    PartRubric part;
    const std::string function = reader.text("function");
    part.function = module.find_function(function);
    if (part.function == nullptr)
        reader.refuse("function", fmt::format("there is no function '{}' in this assignment; known are {}",
                                              function, names(module.functions)));
    for (const PartRubric& other : rubric.parts)
        if (other.function == part.function)
            reader.refuse("function", fmt::format("there is already a part '{}'", function));
    part.source = reader.text("source", rubric.sources.front());
    if (std::find(rubric.sources.begin(), rubric.sources.end(), part.source) == rubric.sources.end())
        reader.refuse("source", fmt::format("'{}' is not among the sources {}", part.source,
                                            fmt::join(rubric.sources, ", ")));
    part.step = reader.whole("step", 1, 99, 1);
    part.numeric_points = reader.number("numeric", 0, kMostPoints);
    part.property_points = reader.number("properties", 0, kMostPoints, 0);
    read_cases(reader, module, *part.function, part.cases);
    for (const std::string& wanted : reader.texts("check", true)) {
        const ask::Property* property = module.find_property(function, wanted);
        if (property == nullptr) {
            const auto all = module.properties.find(function);
            reader.refuse("check", fmt::format("{} has no property '{}'; known are {}", function, wanted,
                                               all == module.properties.end() ? "none" : names(all->second)));
        }
        part.properties.push_back(property);
    }
    if (part.properties.empty() && part.property_points > 0)
        reader.refuse("properties", fmt::format("{:g} points for properties, but 'check' names none",
                                                part.property_points));
    if (!part.properties.empty() && module.find_recipe("normal") == nullptr)
        reader.refuse("check", "properties are checked on the inputs 'normal', and this assignment has none");
    if (!part.properties.empty()) {
        ask::CallSpec& call = part.property_call;
        call.function = part.function;
        call.recipe = module.find_recipe("normal");
        call.sizes = reader.sizes("check_sizes");
        check_sizes(reader, "check_sizes", *part.function, call.sizes);
        check_accepted(reader, "check_sizes", *part.function, call.sizes);
        call.setting = read_setting(reader, *part.function, "check_options", "check_absent");
    }
    if (reader.has("speed")) part.speed = read_speed(reader.table("speed"), module, *part.function);
    if (reader.has("growth")) part.growth = read_growth(reader.table("growth"), module, *part.function);
    if (reader.has("cuda")) {
        if (!rubric.cuda)
            reader.refuse("cuda",
                          "the rubric has no table [cuda] that names the file of the kernels; write one "
                          "above the parts, or remove [part.cuda]");
        TableReader cuda = reader.table("cuda");
        part.cuda_points = cuda.number("points", 0, kMostPoints);
        part.cuda_cases = part.cases;
        if (cuda.has("cases")) read_cases(cuda, module, *part.function, part.cuda_cases);
        if (cuda.has("timed")) {
            TableReader timed = cuda.table("timed");
            part.cuda_timed = read_call(timed, module, *part.function);
            check_sizes_of(timed, "sizes", *part.function, *part.cuda_timed->recipe, part.cuda_timed->sizes);
            check_accepted(timed, "sizes", *part.function, part.cuda_timed->sizes);
            timed.done();
        }
        cuda.done();
    }
    refuse_shared_names(reader, part);
    part.builds_on = reader.texts("builds_on", true);
    for (const std::string& earlier : part.builds_on) {
        if (earlier == function || ask::module_of(earlier) == nullptr)
            reader.refuse("builds_on",
                          fmt::format("'{}' is not another function of any assignment", earlier));
    }
    part.may_call = part.builds_on;
    const auto add = [&part](const std::string& earlier) {
        if (std::ranges::find(part.may_call, earlier) == part.may_call.end())
            part.may_call.push_back(earlier);
    };
    for (const ask::Module* other : rubric.may_call)
        for (const ask::Function& earlier : other->functions) add(earlier.name);
    if (!rubric.may_call.empty())
        for (const PartRubric& before : rubric.parts) add(before.function->name);
    TableReader disclosure = reader.table("disclosure");
    part.disclosure = read_disclosures(disclosure, rubric.disclosure);
    disclosure.done();
    reader.done();
    return part;
}

/// "softmax, self_attention": what students write, where the rubric does not say it in words.
std::string names_of_parts(const Rubric& rubric) {
    std::vector<std::string> functions;
    for (const PartRubric& part : rubric.parts) functions.push_back(part.function->name);
    return fmt::format("{}", fmt::join(functions, ", "));
}

}  // namespace

double PartRubric::points_of(report::CheckKind kind) const {
    switch (kind) {
        case report::CheckKind::numeric:
            return numeric_points;
        case report::CheckKind::property:
            return property_points;
        case report::CheckKind::speed:
            return speed ? speed->points : 0;
        case report::CheckKind::growth:
            return growth ? growth->points : 0;
        case report::CheckKind::cuda:
            return cuda_points;
    }
    throw std::logic_error("unknown kind of check");
}

report::Disclosure PartRubric::disclosure_of(std::string_view check, bool secret_seed) const {
    for (const auto* all : {&cases, &cuda_cases})
        for (const CaseRubric& each : *all)
            if (each.disclosure &&
                (check == each.name || check == std::string(report::kKernelsCase) + each.name))
                return *each.disclosure;
    return secret_seed ? disclosure.with_secret_seed : disclosure.with_public_seed;
}

double Rubric::points() const {
    double total = 0;
    for (const PartRubric& part : parts) total += points_of(part);
    return total;
}

double Rubric::points_of(const PartRubric& part) const {
    double total = 0;
    for (const report::CheckKind kind : report::kCheckKinds)
        if (kind != report::CheckKind::cuda || (cuda && cuda->counted == CudaRubric::Counted::always))
            total += part.points_of(kind);
    return total;
}

Rubric read_rubric(const std::filesystem::path& folder, SecretCases secret) {
    const auto file = folder / "rubric.toml";
    if (!std::filesystem::is_regular_file(file))
        throw UserError(fmt::format("{}: there is no such file; an assignment's folder holds its rubric.toml",
                                    file.string()));
    const toml::table table = parse_toml(file);
    Rubric rubric;
    rubric.folder = folder;
    const std::string name = folder.filename().string();
    const std::string module = name.substr(name.find('_') + 1);
    rubric.module = ask::find_module(module);
    if (rubric.module == nullptr) {
        throw UserError(fmt::format(
            "{}: there are no checks called '{}' (the folder's name without its number); known are {}",
            folder.string(), module, names(ask::modules())));
    }
    TableReader reader(file, table, "the rubric");
    rubric.number = reader.whole("number", 1, 999);
    rubric.title = reader.text("title");
    rubric.about = reader.text("about", "");
    rubric.sources = reader.texts("sources");
    for (const std::string& source : rubric.sources)
        if (std::filesystem::path(source).filename() != source || !source.ends_with(".cpp"))
            reader.refuse("sources", fmt::format("'{}' is not the plain name of a .cpp file", source));

    for (const std::string& earlier : reader.texts("may_call", true)) {
        rubric.may_call.push_back(ask::find_module(earlier));
        if (rubric.may_call.back() == nullptr || rubric.may_call.back() == rubric.module)
            reader.refuse("may_call", fmt::format("'{}' is not another assignment; known are {}", earlier,
                                                  names(ask::modules())));
    }

    TableReader limits = reader.table("limits");
    constexpr double kLongest_s = 3600, kLongestAssignment_s = 86400;
    rubric.limits.time_s = limits.number("time_s", 0.01, kLongest_s, rubric.limits.time_s);
    rubric.limits.process.memory_mib =
        limits.whole("memory_mib", 64, 1 << 20, rubric.limits.process.memory_mib);
    rubric.limits.process.stack_mib = limits.whole("stack_mib", 1, 1 << 14, rubric.limits.process.stack_mib);
    rubric.limits.output_kib = limits.whole("output_kib", 1, 1 << 20, rubric.limits.output_kib);
    rubric.budget_s = limits.number("assignment_s", 1, kLongestAssignment_s, rubric.budget_s);
    limits.done();
    TableReader judge = reader.table("judge");
    rubric.allowed_yardsticks = judge.number("allowed_yardsticks", 1, 1e6, rubric.allowed_yardsticks);
    judge.done();
    TableReader disclosure = reader.table("disclosure");
    rubric.disclosure = read_disclosures(disclosure, rubric.disclosure);
    rubric.total_always = read_total_always(disclosure);
    rubric.hints = read_hint_level(disclosure);
    disclosure.done();

    if (reader.has("cuda")) rubric.cuda = read_cuda(reader.table("cuda"));

    for (TableReader& part : reader.tables("part"))
        rubric.parts.push_back(read_part(std::move(part), rubric));
    if (rubric.about.empty()) rubric.about = names_of_parts(rubric);
    reader.done();
    if (secret == SecretCases::added) add_secret_cases(rubric);
    return rubric;
}

std::vector<Rubric> read_rubrics(const std::filesystem::path& folder, SecretCases secret) {
    if (!std::filesystem::is_directory(folder))
        throw UserError(
            fmt::format("{}: there is no such folder; it should hold the assignments", folder.string()));
    std::vector<Rubric> rubrics;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_directory() && entry.path().filename() != kCoursesFolder)
            rubrics.push_back(read_rubric(entry.path(), secret));
    std::sort(rubrics.begin(), rubrics.end(),
              [](const Rubric& a, const Rubric& b) { return a.number < b.number; });
    for (std::size_t k = 1; k < rubrics.size(); ++k) {
        if (rubrics[k - 1].number == rubrics[k].number) {
            throw UserError(fmt::format("{} and {} both have number {}", rubrics[k - 1].folder.string(),
                                        rubrics[k].folder.string(), rubrics[k].number));
        }
    }
    return rubrics;
}

}  // namespace attn::rubric
