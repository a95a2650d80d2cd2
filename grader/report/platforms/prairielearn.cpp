#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "grader/report/check_description.h"
#include "grader/report/clean.h"
#include "grader/report/json_text.h"
#include "grader/report/platforms/base64.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/platforms/heat_map.h"
#include "grader/report/platforms/size_budget.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

using Json = nlohmann::ordered_json;

Json images_of(const Report& report) {
    Json images = Json::array();
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts)
            for (const Check& check : part.checks)
                for (const Picture& picture : check.pictures)
                    if (images.size() < SizeBudget().images)
                        images.push_back(
                            {{"label", fmt::format("{}, {}: {}", part.function, name_in_words(check),
                                                   legend_of(picture))},
                             {"url", "data:image/png;base64," + base64(png_of(heat_map(picture)))}});
    return images;
}

/// The failure that explains most and the measurements in full, the other failures in a line each.
std::string failures_of(const Report& report, const Part& part) {
    if (not_started(part) || all_are(part, Outcome::not_compiled)) return "";
    const Check* shown = most_informative_failure(part);
    std::string full, others;
    for (const Check& check : part.checks) {
        if (check.outcome == Outcome::passed || is_left_out(check)) continue;
        const std::string line =
            fmt::format("{}: {}, {} / {}\n", name_in_words(check), outcome_in_words(check),
                        points(check.points), points(check.max_points));
        if (&check == shown || !is_correctness_check(check))
            full += line + plain_text(describe(report, part, check)) + '\n';
        else
            others += line;
    }
    return full + (others.empty() ? "" : "Also:\n" + others);
}

/// A test for each function.
Json parts_as_tests(const Report& report) {
    Json tests = Json::array();
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts)
            tests.push_back({{"name", part.function},
                             {"points", rounded(part.points)},
                             {"max_points", rounded(part.max_points)},
                             {"message", state_of(part)},
                             {"output", failures_of(report, part)}});
    return tests;
}

/// The result for a submission that cannot be graded, with the compiler's messages as the reason.
std::string not_gradable(const Report& report, const SizeBudget& budget) {
    Json errors = Json::array();
    for (const Assignment& assignment : report.assignments)
        for (const SourceFile& source : assignment.sources)
            if (errors.size() < budget.items)
                errors.push_back(cut(source.exists ? source.name + " does not compile:\n" +
                                                         report::quote_lines(source.messages)
                                                   : source.name + " was not handed in",
                                     budget.text));
    return json_text({{"gradable", false}, {"format_errors", errors}}) + "\n";
}

/// True if there are source files and none of them compiled.
bool nothing_compiled(const Report& report) {
    bool any = false;
    for (const Assignment& assignment : report.assignments)
        for (const SourceFile& source : assignment.sources) {
            if (source.exists && source.compiled) return false;
            any = true;
        }
    return any;
}

/// The text above the tests: notes and compiler messages.
std::string output_of(const Report& report) {
    std::string text;
    for (const std::string& note : report.notes) text += "note: " + note + '\n';
    for (const Assignment& assignment : report.assignments)
        for (const SourceFile& source : assignment.sources)
            if (!source.messages.empty())
                text += fmt::format("{}, from the compiler:\n{}", source.name,
                                    report::quote_lines(source.messages));
    return without_commands(text);
}

}  // namespace

std::string to_prairielearn(const Report& dirty) {
    const Report report = cleaned(dirty);
    const std::size_t items = count_items(report);
    if (nothing_compiled(report))
        return write_within(kMostPrairieLearn, items,
                            [&](const SizeBudget& budget) { return not_gradable(report, budget); });
    const Score total = total_of(report);
    const std::string output = output_of(report);
    const Json images = images_of(report), tests = parts_as_tests(report);
    Json json = {{"gradable", true},
                 {"score", share_of(total)},
                 {"message", fmt::format("{} / {} points. Next: {}", points(total.points),
                                         points(total.max_points), report.next)}};
    return write_within(kMostPrairieLearn, items, [&](const SizeBudget& budget) {
        const auto shown = static_cast<std::ptrdiff_t>(std::min(images.size(), budget.images));
        json["output"] = cut(output, std::max(budget.text, kLeastSummary));
        json["images"] = Json::array();
        std::copy_n(images.begin(), shown, std::back_inserter(json["images"]));
        json["tests"] = cut_to_budget(budget, tests);
        return json_text(json) + "\n";
    });
}

}  // namespace attn::report
