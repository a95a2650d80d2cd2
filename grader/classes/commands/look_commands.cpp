#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/late_rules.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/classes/view.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

constexpr const char* kStatusUsage =
    "usage: grader class status [options]\n"
    "Shows what is graded, what is not and why, who has not handed in, and which marks are published. "
    "Changes nothing.\n"
    "  grader class status\n"
    "  grader class status --assignment 2 --students\n";

constexpr const char* kShowUsage =
    "usage: grader class show STUDENT [options]\n"
    "Shows the attempts and the mark of one student, by key, e-mail, login, pseudonym or name. Changes "
    "nothing.\n"
    "  grader class show anna@example.org\n"
    "  grader class show quiet-otter-42 --assignment 2\n";

/// A list of names, each in a line, after a heading with their number; nothing for an empty list.
void print_list(const std::string& heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    std::cout << fmt::format("  {}: {}\n", heading, lines.size());
    for (const std::string& line : lines) std::cout << "    " << line << '\n';
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
    std::set<Id> handed_in;
    for (const Attempt& attempt : attempts) {
        handed_in.insert(attempt.students.begin(), attempt.students.end());
        const std::string who =
            fmt::format("{}, {}", names_of(attempt, students), moment_text(attempt.handed_in));
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
    constexpr std::size_t kShown = 20;
    if (waiting.size() > kShown)
        std::cout << fmt::format("  not graded yet: {} (grader class grade)\n", waiting.size());
    else
        print_list("not graded yet (grader class grade)", waiting);
    print_list("cannot be graded", unreadable);
    print_list("not graded because of a fault of the grader", failed);
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

int show_command(const Words& words) {
    po::options_description options("options");
    add_class_options(options);
    const auto values = cli::parse(words, kShowUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const std::string word = arguments_of(*values, 1, 1, kShowUsage).front();
    Session session(*values, Database::Access::read);
    Gradebook& gradebook = session.gradebook();
    const Student student = session.student_named(word);
    std::cout << fmt::format("{} ({}){}\n", shown_name(student.person), student.pseudonym,
                             student.on_roster ? "" : ", not on the roster");
    const std::vector<Fault> faults = gradebook.faults();
    for (const int number : session.exercises()) {
        Exercise exercise = session.open(number);
        std::cout << fmt::format("Assignment {}:\n", number);
        const auto version = gradebook.last_version(number, false),
                   published = gradebook.last_version(number, true);
        const auto mark_in = [&](const std::optional<Version>& of) -> const Version::StudentMark* {
            if (!of) return nullptr;
            const auto found = of->marks.find(student.id);
            return found == of->marks.end() ? nullptr : &found->second;
        };
        const Version::StudentMark* mark = mark_in(version);
        for (const Attempt& attempt : gradebook.attempts(number)) {
            if (std::ranges::count(attempt.students, student.id) == 0) continue;
            const AttemptState state = state_of(gradebook, exercise, attempt, faults);
            std::string what = state.problem.empty() ? "not graded yet" : report::one_line(state.problem);
            if (state.report) {
                what.clear();
                for (const report::Part& part : state.report->assignments.at(0).parts)
                    what += fmt::format("{}{} {} of {}", what.empty() ? "" : ", ", part.function,
                                        report::points(part.points), report::points(part.max_points));
            }
            std::cout << fmt::format(
                "  attempts/{}, {}{}: {}\n", attempt.number, moment_text(attempt.handed_in),
                mark != nullptr && mark->attempt == attempt.number ? ", counts" : "", what);
        }
        if (mark != nullptr) std::cout << "  mark: " << mark->mark.explanation << '\n';
        if (mark == nullptr) std::cout << "  no mark\n";
        if (const Version::StudentMark* before = mark_in(published);
            before != nullptr && (mark == nullptr || before->mark.final != mark->mark.final))
            std::cout << "  published: " << before->mark.explanation << '\n';
        for (const Decision& each : gradebook.overrides(number))
            if (each.student == student.id)
                std::cout << fmt::format(
                    "  {}: {} by {}: {}\n", moment_text(each.at),
                    each.points ? "set to " + report::points(*each.points) : "the set mark withdrawn",
                    report::one_line(each.author), report::one_line(each.reason));
        for (const Decision& each : gradebook.holds(number))
            if (each.student == student.id)
                std::cout << fmt::format("  {}: {} by {}: {}\n", moment_text(each.at),
                                         each.held ? "held" : "released", report::one_line(each.author),
                                         report::one_line(each.reason));
    }
    return cli::kAllPassed;
}

}  // namespace attn::classes
