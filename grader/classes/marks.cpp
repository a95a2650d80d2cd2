#include "grader/classes/marks.h"

#include <algorithm>

#include <fmt/format.h>

#include "grader/classes/late_rules.h"
#include "grader/classes/moments.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

struct GradedAttempt {
    Id number = 0;
    HandInTime time;
    bool pending = false;
    std::string problem;  ///< why it cannot be graded
    report::Score score;
};

/// The mark of a student from their attempts, the oldest first. None while it is not known.
std::optional<Version::StudentMark> student_mark(const ExerciseRules& rules, const Person& person,
                                                 const std::vector<GradedAttempt>& attempts) {
    std::optional<Version::StudentMark> best;
    std::string skipped;
    for (auto each = attempts.rbegin(); each != attempts.rend(); ++each) {
        if (each->pending) return std::nullopt;
        if (!each->problem.empty()) {
            if (!best) skipped = when_text(each->time);
            continue;
        }
        const Mark mark = mark_of(rules, person, each->time, each->score.points, each->score.max_points);
        if (!best || mark.final > best->mark.final) best = Version::StudentMark{each->number, mark};
        if (rules.counts == Counts::latest) break;
    }
    if (best && !skipped.empty() && rules.counts == Counts::latest)
        best->mark.explanation += fmt::format("; the attempt of {} cannot be graded", skipped);
    return best;
}

/// What a person decided instead. The computed mark stays in the record.
void apply_override(const Decision& decision, Version::StudentMark& of) {
    Mark& mark = of.mark;
    const double points = rounded_mark(*decision.points);
    mark.explanation = fmt::format("{} instead of {} ({}; decided by {})", report::points(points),
                                   mark.explanation.empty() ? "no mark" : mark.explanation,
                                   report::one_line(decision.reason), report::one_line(decision.author));
    mark.final = points;
    mark.overridden = true;
}

bool same_mark(const Version::StudentMark& a, const Version::StudentMark& b) {
    return a.attempt == b.attempt && a.mark.raw == b.mark.raw && a.mark.out_of == b.mark.out_of &&
           a.mark.days_late == b.mark.days_late && a.mark.penalty == b.mark.penalty &&
           a.mark.final == b.mark.final && a.mark.explanation == b.mark.explanation &&
           a.mark.overridden == b.mark.overridden;
}

bool same_version(const Version& a, const Version& b) {
    return a.rubric == b.rubric && a.secret_cases == b.secret_cases && a.secret == b.secret &&
           a.speed == b.speed && a.attempts == b.attempts &&
           std::ranges::equal(a.marks, b.marks, [](const auto& x, const auto& y) {
               return x.first == y.first && same_mark(x.second, y.second);
           });
}

}  // namespace

std::map<Id, Decision> last_decisions(const std::vector<Decision>& all) {
    std::map<Id, Decision> last;
    for (const Decision& decision : all) last[decision.student] = decision;
    return last;
}

Version marks_now(Gradebook& gradebook, Exercise& exercise) {
    Version version;
    version.exercise = exercise.number();
    version.made = now();
    version.rubric = exercise.rubric_text();
    version.secret_cases = exercise.secret_text();
    version.secret = exercise.secret();
    version.speed = exercise.speed();
    const std::vector<Fault> faults = gradebook.faults();
    std::map<Id, std::vector<GradedAttempt>> by_student;
    for (const Attempt& attempt : gradebook.attempts(exercise.number())) {
        // One report at a time: a class does not fit into the memory of a small machine.
        const AttemptState state = state_of(gradebook, exercise, attempt, faults);
        version.attempts[attempt.number] = {state.numbers, state.speed};
        GradedAttempt graded{attempt.number, attempt.time, state.pending, state.problem, {}};
        if (state.report) graded.score = report::total_of(*state.report);
        for (const Id student : attempt.students) by_student[student].push_back(graded);
    }
    const auto overrides = last_decisions(gradebook.overrides(exercise.number()));
    for (const Student& student : gradebook.students()) {
        auto mark = student_mark(exercise.rules(), student.person, by_student[student.id]);
        if (const auto decided = overrides.find(student.id);
            decided != overrides.end() && decided->second.points) {
            if (!mark) mark.emplace().mark.out_of = exercise.rubric().points();
            apply_override(decided->second, *mark);
        }
        if (mark) version.marks[student.id] = *mark;
    }
    return version;
}

Version update_version(Gradebook& gradebook, Exercise& exercise) {
    const Version version = marks_now(gradebook, exercise);
    Transaction transaction(gradebook.database());
    const auto last = gradebook.last_version(exercise.number(), false);
    if (!last || !same_version(*last, version)) gradebook.add_version(version);
    Version stored = gradebook.last_version(exercise.number(), false).value();
    transaction.commit();
    return stored;
}

std::vector<MarkChange> changes_between(Gradebook& gradebook, const std::optional<Version>& before,
                                        const Version& after) {
    std::vector<MarkChange> changes;
    for (const Student& student : gradebook.students()) {
        MarkChange change{student, {}, {}, ""};
        if (before)
            if (const auto found = before->marks.find(student.id); found != before->marks.end())
                change.before = found->second.mark.final;
        if (const auto found = after.marks.find(student.id); found != after.marks.end()) {
            change.after = found->second.mark.final;
            change.explanation = found->second.mark.explanation;
        }
        if (change.before != change.after) changes.push_back(std::move(change));
    }
    return changes;
}

std::vector<MarkChange> changed_marks(Gradebook& gradebook, const Version& version) {
    return changes_between(gradebook, gradebook.last_version(version.exercise, true), version);
}

std::string shown_name(const Person& person) {
    for (const std::string* text : {&person.name, &person.email, &person.login, &person.key})
        if (!text->empty()) return report::one_line(*text);
    return "(no name)";
}

void write_change_rows(std::ostream& out, const std::vector<MarkChange>& changes) {
    constexpr std::size_t kNameColumns = 28;
    const auto points = [](const std::optional<double>& value) {
        return value ? report::points(*value) : "none";
    };
    for (const MarkChange& change : changes) {
        std::string name = report::shortened(shown_name(change.student.person), kNameColumns);
        name += std::string(kNameColumns - std::min(kNameColumns, report::columns_of(name)), ' ');
        out << fmt::format("  {} {:>7} -> {:>7}   {}\n", name, points(change.before), points(change.after),
                           change.explanation);
    }
}

void write_changes(std::ostream& out, const std::vector<MarkChange>& changes, bool published_before) {
    if (changes.empty()) {
        out << "No mark differs from the published ones.\n";
        return;
    }
    out << (published_before ? "Marks that differ from the published ones:\n"
                             : "Marks (nothing is published yet):\n");
    write_change_rows(out, changes);
}

}  // namespace attn::classes
