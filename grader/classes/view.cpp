#include "grader/classes/view.h"

#include <algorithm>

#include <fmt/format.h>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"
#include "grader/rubric/course.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

/// The rubrics as they were when a version was made: its own, and today's of the other assignments, of which
/// only names are needed.
std::vector<rubric::Rubric> rubrics_of(const Version& version, const Installation& installation) {
    auto rubrics = rubric::read_rubrics(installation.assignments);
    const auto found = std::ranges::find(rubrics, version.exercise, &rubric::Rubric::number);
    if (found == rubrics.end())
        throw UserError(fmt::format(
            "the gradebook has marks for assignment {}, which this grader does not have", version.exercise));
    const data::TemporaryDirectory temporary;
    const fs::path folder = temporary / found->folder.filename().string();
    fs::create_directory(folder);
    temporary.write(folder.filename().string() + "/rubric.toml", version.rubric);
    if (!version.secret_cases.empty())
        temporary.write(folder.filename().string() + "/secret.toml", version.secret_cases);
    *found = rubric::read_rubric(folder,
                                 version.secret ? rubric::SecretCases::added : rubric::SecretCases::left_out);
    return rubrics;
}

}  // namespace

ViewReader::ViewReader(Gradebook& gradebook, const ClassRules& rules, const Version& version,
                       const Installation& installation, bool names)
    : gradebook_(gradebook),
      version_(version),
      rubrics_(rubrics_of(version, installation)),
      students_(gradebook.students()),
      attempts_(gradebook.attempts(version.exercise)),
      faults_(gradebook.faults()),
      holds_(last_decisions(gradebook.holds(version.exercise))) {
    const auto rubric = std::ranges::find(rubrics_, version.exercise, &rubric::Rubric::number);
    const auto course = rubric::read_course(rubrics_, installation.assignments, rules.course);
    if (const auto* step = course.find(version.exercise)) rubric->title = step->whole_title;
    scoring_ = {&*rubric, &rubrics_, version.secret, version.speed, course.path()};
    head_.title = fmt::format("{}, assignment {}: {}", rules.title, version.exercise, rubric->title);
    head_.made_at = version.made;
    head_.due = rules.exercise(version.exercise).due;
    head_.names = names;
}

AttemptView ViewReader::attempt(const Attempt& attempt, bool with_report) {
    AttemptView view;
    view.when = attempt.time.when;
    view.when_by = attempt.time.by;
    view.problem = attempt.problem;
    view.files = fmt::format("attempts/{}", attempt.number);
    const Version::AttemptResults& results = version_.attempts.at(attempt.number);
    if (results.numbers.empty()) {
        const auto fault = std::ranges::find(faults_, attempt.number, &Fault::attempt);
        if (view.problem.empty())
            view.problem = fault == faults_.end() ? "not graded yet" : fault_in_words(*fault);
        return view;
    }
    const Result numbers = gradebook_.result(results.numbers).value();
    view.graded = !numbers.refused;
    if (numbers.refused) view.problem = *numbers.refused;
    if (numbers.refused || !with_report) return view;
    std::optional<Result> speed;
    if (!results.speed.empty()) speed = gradebook_.result(results.speed).value();
    view.report = report_of(attempt, unpacked_report(numbers.report), speed, scoring_);
    return view;
}

StudentView ViewReader::student(const Student& student, Reports reports) {
    StudentView view;
    view.person = student.person;
    view.pseudonym = student.pseudonym;
    view.on_roster = student.on_roster;
    std::optional<Id> counting;
    if (const auto mark = version_.marks.find(student.id); mark != version_.marks.end()) {
        view.mark = mark->second.mark;
        counting = mark->second.attempt;
        const auto hold = holds_.find(student.id);
        view.mark->held = hold != holds_.end() && hold->second.held;
    }
    for (const Attempt& each : attempts_) {
        // An attempt that was taken in later is not part of the version.
        if (!version_.attempts.contains(each.number) || std::ranges::count(each.students, student.id) == 0)
            continue;
        const bool counts = counting == each.number;
        view.attempts.push_back(
            attempt(each, reports == Reports::of_all || (reports != Reports::none && counts)));
        view.attempts.back().number = static_cast<int>(view.attempts.size());
        view.attempts.back().counts = counts;
        if (counts || !counting) {
            view.label = each.label;
            view.platform = each.platform;
            view.platform_id = each.ids.at(student.id);
        }
        // The report itself would be too much for a whole class.
        AttemptView& shown = view.attempts.back();
        if (counts && shown.report)
            for (const report::Part& part : shown.report->assignments.at(0).parts)
                view.functions.push_back({part.function, part.points, part.max_points});
        if (reports == Reports::points) shown.report.reset();
    }
    return view;
}

ClassView view_of(ViewReader& reader, Reports reports) {
    ClassView view = reader.head();
    for (const Student& student : reader.students())
        view.students.push_back(reader.student(student, reports));
    return view;
}

}  // namespace attn::classes
