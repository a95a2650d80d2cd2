#include "grader/report/next_step.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "grader/report/findings.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

constexpr std::string_view kThen = " Then: ";

/// The command that grades one assignment again.
std::string grade_again(const Report& report, int assignment) {
    return fmt::format(
        "make grade A={}{}", assignment,
        report.submission == "student" ? "" : " SUBMISSION=" + quoted_for_shell(report.submission));
}

/// The first assignment of the course after those that the report grades. Null if there is none.
const PathStep* step_after(const Report& report) {
    const PathStep* after = nullptr;
    for (const PathStep& step : report.path) {
        const bool graded = std::ranges::find(report.assignments, step.number, &Assignment::number) !=
                            report.assignments.end();
        if (graded)
            after = nullptr;
        else if (after == nullptr && !step.later)
            after = &step;
    }
    return after;
}

}  // namespace

std::string what_next(const Report& report) {
    if (auto step = next_step(report)) return *step;
    std::string text = "nothing left to do here. Well done.";
    if (const PathStep* step = step_after(report)) {
        const std::string builds_on = builds_on_in_words(*step);
        text += fmt::format(" Go on with assignment {} ({}){}: {}.{}{}", step->number, step->title,
                            builds_on.empty() ? "" : ", which " + builds_on, step->handout, kThen,
                            grade_again(report, step->number));
    }
    return text;
}

std::optional<std::string> next_step(const Report& report) {
    const auto findings = findings_of(report);
    if (findings.empty() || findings.front().kind == FindingKind::waiting) return std::nullopt;
    return fmt::format("{}.{}{}", findings.front().to_do, kThen,
                       grade_again(report, findings.front().assignment));
}

NextStep split_next_step(const std::string& text) {
    const std::size_t at = text.find("." + std::string(kThen) + "make ");
    if (at == std::string::npos) return {text, ""};
    return {text.substr(0, at + 1), text.substr(at + 1 + kThen.size())};
}

}  // namespace attn::report
