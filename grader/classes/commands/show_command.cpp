#include <algorithm>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "datasets/files/replacement.h"
#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/report/findings.h"
#include "grader/report/html.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

constexpr const char* kShowUsage =
    "usage: grader class show STUDENT [options]\n"
    "Shows what one student handed in, what is wrong with it, and the mark. The student is named by\n"
    "key, e-mail, login, pseudonym or name. The whole report is a page in the class's folder. It\n"
    "shows hidden inputs: it is for you alone.\n"
    "  grader class show anna@example.org\n"
    "  grader class show quiet-otter-42 --assignment 2\n";

/// The first lines of what a compiler said.
void print_messages(const std::string& messages) {
    constexpr int kMostLines = 8;
    std::istringstream lines(report::clean(messages));
    std::string line;
    for (int k = 0; k < kMostLines && std::getline(lines, line); ++k) std::cout << "      " << line << '\n';
    if (std::getline(lines, line)) std::cout << "      ..\n";
}

/// Why points are lost: the outcome, the named mistake, the compiler's messages.
void print_findings(const report::Report& report) {
    for (const report::Finding& finding : report::findings_of(report)) {
        const std::string kind = report::kFindingKindWords[static_cast<std::size_t>(finding.kind)],
                          what = report::one_line(finding.what);
        std::string line = fmt::format("    {}: {}", finding.subject, what.starts_with(kind) ? what : kind);
        if (!what.empty() && !what.starts_with(kind) && what != finding.subject) line += ", " + what;
        if (!finding.place.empty()) line += fmt::format(" ({})", finding.place);
        std::cout << fmt::format("{}; {} points\n", line, report::points(finding.cost));
        if (finding.kind != report::FindingKind::not_compiled || !finding.function.empty()) continue;
        for (const report::SourceFile& source : report.assignments.at(0).sources)
            if (source.name == finding.subject) print_messages(source.messages);
    }
}

/// Writes the page of an attempt's report and names it. A class that may only be read has none.
void print_page(const ClassFolder& folder, const Attempt& attempt, report::Report report) {
    report.submission = fmt::format("attempts/{}", attempt.number);
    const std::filesystem::path page = folder.page(attempt.number);
    const std::string html = report::to_html(report);
    try {
        std::filesystem::create_directories(page.parent_path());
        data::write_file(page, html);
        std::cout << "    page: " << page.string() << '\n';
    } catch (const std::exception& error) {
        std::cout << "    no page, because it cannot be written: " << report::one_line(error.what()) << '\n';
    }
}

void print_attempt(Session& session, Exercise& exercise, const Attempt& attempt, bool counts,
                   const std::vector<Fault>& faults) {
    const AttemptState state = state_of(session.gradebook(), exercise, attempt, faults);
    std::string what = state.problem.empty() ? "not graded yet" : report::one_line(state.problem);
    if (state.report) {
        what.clear();
        for (const report::Part& part : state.report->assignments.at(0).parts)
            what += fmt::format("{}{} {} of {}", what.empty() ? "" : ", ", part.function,
                                report::points(part.points), report::points(part.max_points));
    }
    std::cout << fmt::format("  attempts/{}, {}{}: {}\n", attempt.number, time_in_words(attempt.time),
                             counts ? ", counts" : "", what);
    for (const std::string& note : attempt.notes) std::cout << "    note: " << report::one_line(note) << '\n';
    if (!state.report) return;
    print_findings(*state.report);
    print_page(session.folder(), attempt, *state.report);
}

void print_decisions(Session& session, int number, const Student& student) {
    const auto print = [](Moment at, const std::string& what, const std::string& author,
                          const std::string& reason) {
        std::cout << fmt::format("  {}: {} by {}: {}\n", moment_text(at), what, report::one_line(author),
                                 report::one_line(reason));
    };
    Gradebook& gradebook = session.gradebook();
    for (const Decision& each : gradebook.overrides(number))
        if (each.student == student.id)
            print(each.at, each.points ? "set to " + report::points(*each.points) : "the set mark withdrawn",
                  each.author, each.reason);
    for (const Decision& each : gradebook.holds(number))
        if (each.student == student.id)
            print(each.at, each.held ? "held" : "released", each.author, each.reason);
    const std::vector<Attempt> attempts = gradebook.all_attempts(number);
    for (const TimeCorrection& each : gradebook.time_corrections(number)) {
        const auto attempt = std::ranges::find(attempts, each.attempt, &Attempt::number);
        if (std::ranges::count(attempt->students, student.id) == 0) continue;
        print(each.at,
              fmt::format("attempts/{} {}", each.attempt,
                          each.when ? "handed in " + moment_text(*each.when) : "without the corrected time"),
              each.author, each.reason);
    }
}

}  // namespace

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
        for (const Attempt& attempt : gradebook.attempts(number))
            if (std::ranges::count(attempt.students, student.id) != 0)
                print_attempt(session, exercise, attempt, mark != nullptr && mark->attempt == attempt.number,
                              faults);
        if (mark != nullptr) std::cout << "  mark: " << mark->mark.explanation << '\n';
        if (mark == nullptr) std::cout << "  no mark\n";
        if (const Version::StudentMark* before = mark_in(published);
            before != nullptr && (mark == nullptr || before->mark.final != mark->mark.final))
            std::cout << "  published: " << before->mark.explanation << '\n';
        print_decisions(session, number, student);
    }
    return cli::kAllPassed;
}

}  // namespace attn::classes
