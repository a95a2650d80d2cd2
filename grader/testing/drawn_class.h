#pragma once
/// For tests of what is made for a whole class: a class of any size, drawn from reports.

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "grader/classes/records.h"
#include "grader/report/report_queries.h"

namespace attn::classes {

/// The pseudonyms of a drawn class are "student-1", ..; its names are these with the number in front.
inline const std::vector<std::string> kDrawnNames = {
    "Ada Lovelace",
    "O'Brien, Pat \"Paddy\"",
    "=1+1",
    "\u202eevil.pdf",  // NOLINT(misc-misleading-bidirectional): the grader has to show it as harmless text
    "Jos\u00e9 \u00c1lvarez",
    "<b>Bold</b>",
    "Nguy\u1ec5n V\u0103n A",
    "Line\nbreaker",
    "A name that is much longer than most of the names in a class"};

/// `students` students with up to four attempts each. The reports are drawn with falling frequency: the first
/// is the most frequent. Of 20 students one hands in nothing, of 40 one something that cannot be graded.
/// Equal seeds give equal classes.
inline ClassView drawn_class(const std::vector<report::Report>& reports, int students, bool names = false,
                             unsigned seed = 1) {
    constexpr Moment kDay_s = 86400, kDue = 1'795'219'140;  // 2026-11-20T23:59:00Z
    std::mt19937 random(seed);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::vector<double> weights;
    for (std::size_t k = 0; k < reports.size(); ++k) weights.push_back(1.0 / static_cast<double>(k + 3));
    std::discrete_distribution<std::size_t> which(weights.begin(), weights.end());
    ClassView view;
    view.title = "Attention 2026, assignment 2";
    view.made_at = kDue + 3 * kDay_s;
    view.due = kDue;
    view.names = names;
    for (int k = 0; k < students; ++k) {
        StudentView student;
        const std::string& name = kDrawnNames[static_cast<std::size_t>(k) % kDrawnNames.size()];
        student.person = {std::to_string(1000 + k), fmt::format("{} {}", k, name),
                          fmt::format("secret{}@x.edu", k), fmt::format("secret{}", k),
                          k % 2 == 0 ? "Monday" : "Tuesday"};
        student.pseudonym = fmt::format("student-{}", k + 1);
        student.label = student.person.name + "_assignsubmission_file_";
        student.on_roster = k % 50 != 49;
        const bool absent = k % 20 == 19, broken = k % 40 == 7;
        const int attempts = absent ? 0 : 1 + below(4);
        Moment when = kDue - below(6 * kDay_s);
        for (int number = 1; number <= attempts; ++number) {
            AttemptView attempt;
            attempt.number = number;
            attempt.when = when;
            when += 600 + below(kDay_s);
            attempt.files = "grader/proof/demo";  // in the project's folder
            attempt.counts = number == attempts;
            if (attempt.counts && broken)
                attempt.problem = "the archive is damaged: it ends early";
            else
                attempt.report = reports[which(random)];
            student.attempts.push_back(std::move(attempt));
        }
        if (attempts > 0 && !broken) {
            const AttemptView& last = student.attempts.back();
            const report::Score score = report::total_of(*last.report);
            Mark mark;
            mark.raw = score.points;
            mark.out_of = score.max_points;
            const auto days = (last.when - kDue) / kDay_s + 1;
            mark.days_late = last.when > kDue ? static_cast<double>(days) : 0;
            mark.penalty = 0.1 * mark.days_late * mark.raw;
            mark.final = mark.raw - mark.penalty;
            mark.explanation =
                fmt::format("{:.4g} of {:g}, {:g} days late", mark.raw, mark.out_of, mark.days_late);
            mark.held = k % 60 == 3;
            mark.overridden = k % 60 == 4;
            student.mark = mark;
        }
        view.students.push_back(std::move(student));
    }
    return view;
}

}  // namespace attn::classes
