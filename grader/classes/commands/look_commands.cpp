#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

constexpr const char* kStatusUsage =
    "usage: grader class status [options]\n"
    "Shows what is graded, what is not and why, who has not handed in, and which marks are published. "
    "Changes nothing.\n"
    "  grader class status\n"
    "  grader class status --assignment 2 --students\n";

/// A list of names, each in a line, after a heading with their number; nothing for an empty list.
void print_list(const std::string& heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    std::cout << fmt::format("  {}: {}\n", heading, lines.size());
    for (const std::string& line : lines) std::cout << "    " << line << '\n';
}

/// The same without the names if there are many.
void print_short_list(const std::string& heading, const std::vector<std::string>& lines) {
    constexpr std::size_t kShown = 20;
    if (lines.size() > kShown)
        std::cout << fmt::format("  {}: {}\n", heading, lines.size());
    else
        print_list(heading, lines);
}

std::string names_of(const Attempt& attempt, const std::map<Id, Student>& students) {
    std::string names;
    for (const Id id : attempt.students)
        names += (names.empty() ? "" : ", ") + shown_name(students.at(id).person);
    return names.empty() ? report::one_line(attempt.label) : names;
}

void print_status(Session& session, int number, bool list_students) {
    Gradebook& gradebook = session.gradebook();
    Exercise exercise = session.open(number);
    std::map<Id, Student> students;
    for (const Student& student : gradebook.students()) students[student.id] = student;
    const std::vector<Attempt> attempts = gradebook.attempts(number);
    const std::vector<Fault> faults = gradebook.faults();
    std::size_t graded = 0;
    std::vector<std::string> waiting, unreadable, failed;
    std::vector<std::string> own_time, no_time, only_late;
    std::set<Id> handed_in;
    for (const Attempt& attempt : attempts) {
        handed_in.insert(attempt.students.begin(), attempt.students.end());
        const std::string who = fmt::format("{}, {}", names_of(attempt, students), when_text(attempt.time));
        if (exercise.rules().due) {
            if (attempt.time.by == TimeSource::files || attempt.time.by == TimeSource::commit)
                own_time.push_back(fmt::format("{}: {}", who, source_in_words(attempt.time)));
            if (attempt.time.by == TimeSource::unknown)
                (attempt.time.marked_late ? only_late : no_time).push_back(names_of(attempt, students));
        }
        const AttemptState state = state_of(gradebook, exercise, attempt, faults);
        if (state.pending && !state.problem.empty())
            failed.push_back(fmt::format("{}: {}", who, report::one_line(state.problem)));
        else if (state.pending)
            waiting.push_back(who);
        else if (!state.problem.empty())
            unreadable.push_back(fmt::format("{}: {}", who, report::one_line(state.problem)));
        else
            ++graded;
    }
    std::cout << fmt::format("Assignment {}: {} students, {} attempts, {} graded\n", number, students.size(),
                             attempts.size(), graded);
    if (const auto grader = gradebook.last_grader(number))
        std::cout << fmt::format("  graded with {}\n", grader->version);
    if (const GraderChange change = grader_change(gradebook, exercise, session.grader_version());
        change.again > 0)
        std::cout << fmt::format(
            "  this grader is {}; it would grade {} of them again: grader class grade --with-this-version\n",
            change.now, change.again);
    print_short_list("not graded yet (grader class grade)", waiting);
    print_list("cannot be graded", unreadable);
    print_list("not graded because of a fault of the grader", failed);
    print_short_list("on time or late by a time that students can set", own_time);
    print_short_list("not late, because the time is not known (grader class add --times FILE)", no_time);
    print_short_list(
        "one day late, because the platform marks it late without a time (grader class add --times FILE)",
        only_late);
    std::vector<std::string> missing, strangers, held;
    const auto holds = last_decisions(gradebook.holds(number));
    for (const auto& [id, student] : students) {
        const std::string name = shown_name(student.person);
        if (!handed_in.contains(id)) missing.push_back(name);
        if (!student.on_roster) strangers.push_back(name);
        if (const auto hold = holds.find(id); hold != holds.end() && hold->second.held)
            held.push_back(fmt::format("{}: {}", name, report::one_line(hold->second.reason)));
    }
    print_list("handed nothing in", missing);
    print_list("not on the roster", strangers);
    print_list("held back", held);
    const auto published = gradebook.last_version(number, true), last = gradebook.last_version(number, false);
    if (!last) {
        std::cout << "  no marks yet\n";
    } else if (!published) {
        std::cout << fmt::format("  {} marks, not published: grader class publish --assignment {}\n",
                                 last->marks.size(), number);
    } else {
        std::cout << fmt::format("  {} marks published {}\n", published->marks.size(),
                                 moment_text(*published->published));
        if (published->id != last->id)
            std::cout << fmt::format(
                "  {} of them differ in a later version: grader class grade shows them\n",
                changed_marks(gradebook, *last).size());
    }
    if (!list_students) return;
    for (const auto& [id, student] : students) {
        std::string mark = "no mark";
        if (last)
            if (const auto found = last->marks.find(id); found != last->marks.end())
                mark = found->second.mark.explanation;
        std::cout << fmt::format("  {} ({}): {}\n", shown_name(student.person), student.pseudonym, mark);
    }
}

}  // namespace

int status_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("students", "also list every student with pseudonym and mark");
    add_class_options(options);
    const auto values = cli::parse(words, kStatusUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    arguments_of(*values, 0, 0, kStatusUsage);
    Session session(*values, Database::Access::read);
    for (const int number : session.exercises())
        print_status(session, number, values->count("students") != 0);
    return cli::kAllPassed;
}

}  // namespace attn::classes
