#include "grader/cli/path_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/report/report_queries.h"

namespace attn::cli {
namespace {

using rubric::CourseStep;

/// "58 of 100 points".
std::string points_of(const CourseStep& step, const rubric::Rubric& rubric) {
    const std::string all = fmt::format("{} points", report::points(rubric.points()));
    double here = 0;
    for (const rubric::PartRubric& part : rubric.parts)
        if (std::ranges::count(step.steps, part.step) != 0) here += rubric.points_of(part);
    return step.steps.empty() ? all : fmt::format("{} of {}", report::points(here), all);
}

/// "100 points, builds on 2; calls functions of 3, not in this course, where the grader's own stand in".
std::string beside_title(const CourseStep& step, const std::vector<rubric::Rubric>& rubrics) {
    if (step.later) return "later";
    const auto rubric = std::ranges::find(rubrics, step.number, &rubric::Rubric::number);
    std::string text = points_of(step, *rubric);
    if (!step.builds_on.empty()) text += ", " + builds_on_in_words(step);
    if (!step.called_early.empty())
        text +=
            fmt::format("; calls functions of {}, which comes later; until then the grader's own stand in",
                        fmt::join(step.called_early, ", "));
    if (!step.left_out.empty())
        text += fmt::format("; calls functions of {}, not in this course, where the grader's own stand in",
                            fmt::join(step.left_out, ", "));
    return text;
}

}  // namespace

void write_path(report::Lines& out, const rubric::Course& course,
                const std::vector<rubric::Rubric>& rubrics) {
    using report::Paint;
    constexpr int kText = 4, kTitleWidth = 36;
    constexpr std::size_t kStateColumn = 43;
    if (!course.title.empty()) out.paragraph(0, course.title, Paint::bold);
    for (const std::string& note : course.notes) out.paragraph(0, note);
    if (!course.title.empty()) out.line(0);
    for (const CourseStep& step : course.steps) {
        const std::string title = fmt::format("{:>2}  {:<{}}", step.number, step.title, kTitleWidth);
        out.beside(out.paint(title, Paint::bold) + " ", kStateColumn, beside_title(step, rubrics));
        out.paragraph(kText, step.about, Paint::dim);
        for (const std::string& note : step.notes)
            out.beside(std::string(kText, ' ') + "- ", kText + 2, note);
    }
    const auto first = std::ranges::find(course.steps, false, &CourseStep::later);
    out.line(0);
    out.paragraph(0, fmt::format("Begin with {}. Then: make grade A={}", first->handout, first->number));
    out.paragraph(0, fmt::format("More about one of them: make list A={}", first->number));
}

std::string path_in_markdown(const rubric::Course& course) {
    std::string text = "| | handout | you write | builds on |\n|---|---|---|---|\n", notes;
    for (const CourseStep& step : course.steps) {
        const std::string title = step.later ? step.title : fmt::format("[{}]({})", step.title, step.handout);
        text +=
            fmt::format("| {} | {} | {} |{} |\n", step.number, title, step.later ? "later" : step.about,
                        step.builds_on.empty() ? "" : fmt::format(" {}", fmt::join(step.builds_on, ", ")));
        for (const std::string& note : step.notes) notes += fmt::format("- {}: {}\n", step.title, note);
    }
    for (const std::string& note : course.notes) text += "\n" + note + "\n";
    if (!notes.empty()) text += "\nWhere your slides and the handouts differ:\n\n" + notes;
    return text;
}

}  // namespace attn::cli
