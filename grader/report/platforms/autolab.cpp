#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "grader/report/clean.h"
#include "grader/report/json_text.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/platforms/size_budget.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 256 << 10, kMostRows = 500;

void add_problem(Json& scores, const std::string& name, double points) {
    if (name.empty() || name.find(':') != std::string::npos)
        throw UserError(fmt::format(
            "Autolab: a problem cannot be called '{}': Autolab changes names that contain a colon and "
            "rejects empty names; give the assignment another title in its rubric.toml",
            name));
    if (scores.contains(name))
        throw UserError(
            fmt::format("Autolab: two problems would be called '{}'; give one of the assignments "
                        "another title in its rubric.toml",
                        name));
    scores[name] = finite(points);
}

Json scores_of(const Report& report) {
    Json scores = Json::object();
    if (report.assignments.size() == 1)
        for (const Part& part : report.assignments.front().parts)
            add_problem(scores, part.function, part.points);
    else
        for (const Assignment& assignment : report.assignments)
            add_problem(scores, assignment.title, assignment.points);
    return scores;
}

Json scoreboard_of(const Report& report) {
    Json board = Json::array({total_of(report).points});
    for (const Assignment& assignment : report.assignments)
        for (const Part& part : assignment.parts)
            for (const Check& check : part.checks)
                if (check.kind == CheckKind::speed)
                    board.push_back(finite(speed_on_board(check).value_or(0)));
    return board;
}

/// The result of a check, with the reason if it failed.
Json row_of(const Check& check, std::size_t bytes) {
    Json row = {{"passed", check.outcome == Outcome::passed}};
    if (check.outcome == Outcome::passed) return row;
    std::string hint = in_words(check.outcome) + ". " + check.message;
    if (check.diagnosis) hint += ' ' + one_line(check.diagnosis->sentence);
    row["hint"] = cut(hint, bytes);
    return row;
}

/// One stage for each part, with the results of its checks.
Json presentation_of(const Report& report, const SizeBudget& budget) {
    Json stages = Json::array(), json = {{"_presentation", "semantic"}};
    std::size_t rows = 0;
    for (const Assignment& assignment : report.assignments) {
        for (const Part& part : assignment.parts) {
            Json stage = Json::object();
            for (const Check& check : part.checks)
                if (!is_left_out(check) && rows++ < budget.items)
                    stage[check.name] = row_of(check, budget.text);
            if (stage.empty()) continue;
            const std::string name = report.assignments.size() == 1
                                         ? part.function
                                         : fmt::format("{} {}", assignment.number, part.function);
            stages.push_back(name);
            json[name] = stage;
        }
    }
    json["stages"] = stages;
    return json;
}

/// One line of JSON in which every colon inside a string is escaped.
std::string line_of(const Json& json) {
    std::string line;
    bool in_string = false, escaped = false;
    for (const char c : json_text(json, false)) {
        if (c == '"' && !escaped) in_string = !in_string;
        escaped = c == '\\' && !escaped;
        line += c == ':' && in_string ? "\\u003a" : std::string(1, c);
    }
    return line + '\n';
}

}  // namespace

std::string to_autolab(const Report& dirty) {
    const Report report = cleaned(dirty);
    const Json result = {{"scores", scores_of(report)}, {"scoreboard", scoreboard_of(report)}};
    return write_within(
               kMostBytes, std::min(count_items(report), kMostRows),
               [&report](const SizeBudget& budget) { return line_of(presentation_of(report, budget)); }) +
           line_of(result);
}

}  // namespace attn::report
