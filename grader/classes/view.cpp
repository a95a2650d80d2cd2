#include "grader/classes/view.h"

#include <algorithm>

#include <fmt/format.h>

#include "datasets/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

/// The rubrics as they were when a version was made: its own, and today's of the other assignments, of which only names are
/// needed.
std::vector<submission::Rubric> rubrics_of(const Version& version, const Installation& installation) {
    auto rubrics = submission::read_rubrics(installation.assignments);
    const auto found = std::ranges::find(rubrics, version.exercise, &submission::Rubric::number);
    if (found == rubrics.end())
        throw UserError(fmt::format(
            "the gradebook has marks for assignment {}, which this grader does not have", version.exercise));
    const data::TemporaryDirectory temporary;
    const fs::path folder = temporary / found->folder.filename().string();
    fs::create_directory(folder);
    temporary.write(folder.filename().string() + "/rubric.toml", version.rubric);
    if (!version.secret_cases.empty())
        temporary.write(folder.filename().string() + "/secret.toml", version.secret_cases);
    *found = submission::read_rubric(
        folder, version.secret ? submission::SecretCases::added : submission::SecretCases::left_out);
    return rubrics;
}

}  // namespace

ClassView view_of(Gradebook& gradebook, const ClassRules& rules, const Version& version,
                  const Installation& installation, bool names, Reports reports) {
    const auto rubrics = rubrics_of(version, installation);
    const auto rubric = std::ranges::find(rubrics, version.exercise, &submission::Rubric::number);
    const Scoring scoring{&*rubric, &rubrics, version.secret, version.speed};
    ClassView view;
    view.title = fmt::format("{}, assignment {}: {}", rules.title, version.exercise, rubric->title);
    view.made_at = version.made;
    view.due = rules.exercise(version.exercise).due;
    view.names = names;
    const auto holds = last_decisions(gradebook.holds(version.exercise));
    const std::vector<Attempt> attempts = gradebook.attempts(version.exercise);
    const std::vector<Fault> faults = gradebook.faults();
    for (const Student& student : gradebook.students()) {
        StudentView shown;
        shown.person = student.person;
        shown.pseudonym = student.pseudonym;
        shown.on_roster = student.on_roster;
        std::optional<Id> counting;
        if (const auto mark = version.marks.find(student.id); mark != version.marks.end()) {
            shown.mark = mark->second.mark;
            counting = mark->second.attempt;
            const auto hold = holds.find(student.id);
            shown.mark->held = hold != holds.end() && hold->second.held;
        }
        for (const Attempt& attempt : attempts) {
            const auto results = version.attempts.find(attempt.number);
            if (results == version.attempts.end() || std::ranges::count(attempt.students, student.id) == 0)
                continue;
            AttemptView each;
            each.number = static_cast<int>(shown.attempts.size()) + 1;
            each.when = attempt.handed_in;
            each.counts = counting == attempt.number;
            each.problem = attempt.problem;
            if (shown.label.empty() || each.counts || !counting) shown.label = attempt.label;
            const auto numbers =
                results->second.numbers.empty() ? std::nullopt : gradebook.result(results->second.numbers);
            if (numbers && numbers->refused) each.problem = *numbers->refused;
            if (!numbers && each.problem.empty()) {
                each.problem = "not graded yet";
                for (const Fault& fault : faults)
                    if (fault.attempt == attempt.number)
                        each.problem = "a fault of the grader, not of the submission: " + fault.text;
            }
            const bool wanted =
                reports == Reports::of_all || (reports == Reports::of_counting && each.counts);
            if (numbers && !numbers->refused && wanted) {
                std::optional<report::Report> measured;
                if (!results->second.speed.empty())
                    if (const auto speed = gradebook.result(results->second.speed); speed && !speed->refused)
                        measured = unpacked_report(speed->report);
                report::Report report = unpacked_report(numbers->report);
                report.notes.insert(report.notes.begin(), attempt.notes.begin(), attempt.notes.end());
                each.report = assembled(std::move(report), measured, scoring);
            }
            shown.attempts.push_back(std::move(each));
        }
        view.students.push_back(std::move(shown));
    }
    return view;
}

}  // namespace attn::classes
