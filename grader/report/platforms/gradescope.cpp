#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/report/clean.h"
#include "grader/report/disclosed.h"
#include "grader/report/json_text.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/platforms/markdown.h"
#include "grader/report/platforms/size_budget.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostResultBytes = 4 << 20;

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

/// A test for the checks of a function that become visible at the same time.
Json test_of(const Report& report, const std::string& number, const Part& part) {
    const char* visibility = visibility_of(part.checks.front().disclosure);
    double score = 0, most = 0;
    bool counted = false;
    std::set<std::string> kinds;
    for (const Check& check : part.checks) {
        score += finite(check.points);
        most += finite(check.max_points);
        counted = counted || !is_left_out(check);
        kinds.emplace(name_of(check.kind));
    }
    Json test = {
        {"name", part.function}, {"number", number}, {"score", rounded(score)}, {"max_score", rounded(most)}};
    // If all checks are left out, the function has neither passed nor failed.
    if (counted) test["status"] = all_passed(part) ? "passed" : "failed";
    test["output"] = state_of(part) + "\n" + markdown_failures(report, part);
    test["output_format"] = "md";
    test["tags"] = Json(kinds);
    test["visibility"] = visibility;
    return test;
}

/// The checks of a part, divided by the time at which they become visible.
std::vector<Part> by_visibility(const Part& part) {
    std::vector<Part> groups;
    for (const Check& check : part.checks) {
        const std::string visibility = visibility_of(check.disclosure);
        auto group = std::ranges::find_if(groups, [&visibility](const Part& other) {
            return visibility == visibility_of(other.checks.front().disclosure);
        });
        if (group == groups.end()) {
            groups.push_back(part);
            groups.back().checks.clear();
            group = std::prev(groups.end());
        }
        group->checks.push_back(check);
    }
    return groups;
}

/// The functions as tests. Checks that are kept back are omitted if the assignment always shows its total.
Json tests_of(const Report& report) {
    Json tests = Json::array();
    for (const Assignment& assignment : report.assignments) {
        for (std::size_t p = 0; p < assignment.parts.size(); ++p) {
            const std::vector<Part> groups = by_visibility(assignment.parts[p]);
            for (std::size_t g = 0; g < groups.size(); ++g)
                if (is_shown_now(groups[g].checks.front()) || !assignment.total_always)
                    tests.push_back(
                        test_of(report, fmt::format("{}.{}.{}", assignment.number, p + 1, g + 1), groups[g]));
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
                if (const auto speed = speed_on_board(check);
                    speed && is_shown_now(check) && std::isfinite(*speed))
                    board.push_back({{"name", part.function + ": times the plain loops"},
                                     {"value", *speed},
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
    Json json = {{"score", rounded(total_of(report).points)},
                 {"execution_time", std::round(finite(report.duration_s))},
                 {"output", ""},
                 {"output_format", "md"},
                 {"stdout_visibility", "hidden"},
                 {"extra_data", Json::object()},
                 {"tests", Json::array()},
                 {"leaderboard", leaderboard_of(report)}};
    return write_within(kMostResultBytes, count_items(report), [&](const SizeBudget& budget) {
        json["output"] = cut(summary, std::max(budget.text, kLeastSummary));
        json["tests"] = cut_to_budget(budget, tests);
        return json_text(json) + "\n";
    });
}

}  // namespace attn::report
