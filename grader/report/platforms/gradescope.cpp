#include "grader/report/platforms/gradescope.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "grader/report/clean.h"
#include "grader/report/disclosed.h"
#include "grader/report/json_text.h"
#include "grader/report/platforms/markdown.h"
#include "grader/report/platforms/size_budget.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 4 << 20;

const char* visibility_of(Disclosure disclosure) {
    switch (disclosure) {
        case Disclosure::after_deadline:
            return "after_due_date";
        case Disclosure::after_publication:
            return "after_published";
        case Disclosure::never:
            return "hidden";
        default:
            return "visible";
    }
}

Json test_of(const Report& report, const std::string& number, const Part& part, const Check& check) {
    Json test = {{"name", fmt::format("{}: {}", part.function, check.name)},
                 {"number", number},
                 {"score", finite(check.points)},
                 {"max_score", finite(check.max_points)}};
    // A check that is left out has neither passed nor failed.
    if (!is_left_out(check)) test["status"] = check.outcome == Outcome::passed ? "passed" : "failed";
    test["output"] =
        fmt::format("{}\n\n{}", in_words(check.outcome), markdown(describe(report, part, check)));
    test["output_format"] = "md";
    test["tags"] = Json::array({name_of(check.kind)});
    test["visibility"] = visibility_of(check.disclosure);
    return test;
}

/// The checks as tests. Checks that are kept back are omitted if the assignment always shows its total.
Json tests_of(const Report& report) {
    Json tests = Json::array();
    for (const Assignment& assignment : report.assignments) {
        for (std::size_t p = 0; p < assignment.parts.size(); ++p) {
            const Part& part = assignment.parts[p];
            for (std::size_t c = 0; c < part.checks.size(); ++c) {
                if (!is_shown_now(part.checks[c]) && assignment.total_always) continue;
                tests.push_back(test_of(report, fmt::format("{}.{}.{}", assignment.number, p + 1, c + 1),
                                        part, part.checks[c]));
            }
        }
    }
    return tests;
}

/// The measured and visible speed of each part, as a multiple of the plain loops' speed.
Json leaderboard_of(const Report& report) {
    Json board = Json::array();
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts)
            for (const Check& check : part.checks)
                if (check.speed && is_shown_now(check) && std::isfinite(check.speed->times_plain.value))
                    board.push_back({{"name", part.function + ": times the plain loops"},
                                     {"value", check.speed->times_plain.value},
                                     {"order", "desc"}});
    return board;
}

/// The report without the checks that are kept back, and without a total that would reveal their points.
Report as_shown(Report report) {
    for (Assignment& assignment : report.assignments) {
        Score shown;
        int kept_back = 0;
        for (Part& part : assignment.parts) {
            kept_back += static_cast<int>(std::erase_if(part.checks, std::not_fn(is_shown_now)));
            part.points = part.max_points = 0;
            for (const Check& check : part.checks) {
                part.points += finite(check.points);
                part.max_points += finite(check.max_points);
            }
            shown.points += part.points;
            shown.max_points += part.max_points;
        }
        std::erase_if(assignment.parts, [](const Part& part) { return part.checks.empty(); });
        if (kept_back == 0) continue;
        if (!assignment.total_always) {
            assignment.points = shown.points;
            assignment.max_points = shown.max_points;
        }
        report.notes.push_back(fmt::format(
            "{}: {} checks are kept back; {}", assignment.title, kept_back,
            assignment.total_always ? "the total counts them already" : "the total will count them"));
    }
    return report;
}

}  // namespace

std::string to_gradescope(const Report& dirty) {
    const Report report = cleaned(dirty);
    const std::string summary = markdown_summary(as_shown(report));
    const Json tests = tests_of(report);
    Json json = {{"score", total_of(report).points},
                 {"execution_time", std::round(finite(report.duration_s))},
                 {"output", ""},
                 {"output_format", "md"},
                 {"stdout_visibility", "hidden"},
                 {"extra_data", Json::object()},
                 {"tests", Json::array()},
                 {"leaderboard", leaderboard_of(report)}};
    return write_within(kMostBytes, count_items(report), [&](const SizeBudget& budget) {
        json["output"] = cut(summary, std::max(budget.text, kLeastSummary));
        json["tests"] = cut_to_budget(budget, tests);
        return json_text(json) + "\n";
    });
}

}  // namespace attn::report
