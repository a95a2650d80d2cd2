#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"
#include "grader/classes/moments.h"
#include "grader/classes/taking_in.h"
#include "grader/classes/times/written_time.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

constexpr const char* kPublishUsage =
    "usage: grader class publish [options]\n"
    "Makes the last marks the ones that are exported, and shows what changes by it.\n"
    "  grader class publish --assignment 2\n";

constexpr const char* kOverrideUsage =
    "usage: grader class override STUDENT POINTS --reason TEXT [options]\n"
    "Sets a student's mark by hand. The computed mark stays in the record. --withdraw takes the decision "
    "back.\n"
    "  grader class override anna@example.org 80 --reason \"explained it in the oral exam\"\n"
    "  grader class override quiet-otter-42 --withdraw --reason \"was meant for another student\"\n";

constexpr const char* kHoldUsage =
    "usage: grader class hold STUDENT --reason TEXT [options]\n"
    "Keeps a student's mark and feedback out of exports. --release lets them go again.\n"
    "  grader class hold anna@example.org --reason \"two submissions look alike; talk first\"\n"
    "  grader class hold anna@example.org --release --reason \"cleared up\"\n";

constexpr const char* kLateUsage =
    "usage: grader class late STUDENT TIME --reason TEXT [options]\n"
    "Corrects when the last attempt of a student was handed in, also for the others of a group. A\n"
    "time without a zone is in the course's. --withdraw takes the correction back.\n"
    "  grader class late anna@example.org \"2026-11-20 23:30\" --reason \"sent by e-mail in time\"\n"
    "  grader class late anna@example.org --withdraw --reason \"was another exercise\"\n";

constexpr const char* kReplaceUsage =
    "usage: grader class replace STUDENT FILE [options]\n"
    "Takes FILE, a folder, an archive or a source, in the place of files of a student that cannot be\n"
    "graded. The time of the hand-in stays.\n"
    "  grader class replace anna@example.org repaired.zip --reason \"renamed a file\"\n";

std::string reason_of(const po::variables_map& values, const char* usage) {
    std::string reason = cli::text_of(values, "reason");
    if (reason.find_first_not_of(" \t\n") == std::string::npos)
        throw cli::UsageError(std::string("say why with --reason TEXT: it is kept in the record\n") + usage);
    return reason;
}

void add_decision_options(po::options_description& options) {
    options.add_options()("reason", po::value<std::string>()->value_name("TEXT"), "why; kept in the record")(
        "author", po::value<std::string>()->value_name("NAME"),
        "who decides; by default the user of this machine");
    add_class_options(options);
}

double points_in(const std::string& word) {
    constexpr double kMost = 100000;
    std::size_t end = 0;
    double points = -1;
    try {
        points = std::stod(word, &end);
    } catch (const std::exception&) {
        end = 0;
    }
    if (end != word.size() || !(points >= 0 && points <= kMost))
        throw cli::UsageError(fmt::format("'{}' is no number of points; expected one such as 57.5", word));
    return points;
}

/// Makes a version of the marks as they are now, and shows what it changes for these students.
void show_changed_marks(Session& session, int number, const std::vector<Id>& students) {
    Exercise exercise = session.open(number);
    const auto before = session.gradebook().last_version(number, false);
    const Version version = update_version(session.gradebook(), exercise);
    auto changes = changes_between(session.gradebook(), before, version);
    const std::size_t more = std::erase_if(
        changes, [&](const MarkChange& each) { return std::ranges::count(students, each.student.id) == 0; });
    write_change_rows(std::cout, changes);
    if (changes.empty()) std::cout << "  No mark changes by it.\n";
    if (more > 0) std::cout << fmt::format("  {} other marks are new: grader class grade shows them\n", more);
    if (!changes.empty())
        std::cout << fmt::format(
            "To make this the mark that is exported: grader class publish --assignment {}\n", number);
}

/// Throws UserError if the stored results are those of another version of the grader: without them there are no marks that a
/// decision could change.
void require_marks_of_this_grader(Session& session, int number) {
    Exercise exercise = session.open(number);
    session.require_same_grader(exercise, false);
}

/// A decision with the reason, the author and the moment of this command.
template <class T>
T signed_by(const po::variables_map& values, const char* usage) {
    T decision;
    decision.reason = reason_of(values, usage);
    decision.author = author_of(values);
    decision.at = now();
    return decision;
}

/// The attempts of a student, the last one at the end. Throws UserError if there is none.
std::vector<Attempt> attempts_of(Session& session, int number, const Student& student) {
    std::vector<Attempt> attempts = session.gradebook().attempts(number);
    std::erase_if(attempts,
                  [&](const Attempt& each) { return std::ranges::count(each.students, student.id) == 0; });
    if (attempts.empty())
        throw UserError(
            fmt::format("{} has handed nothing in for assignment {}; grader class add takes it in",
                        shown_name(student.person), number));
    return attempts;
}

}  // namespace

int publish_command(const Words& words) {
    po::options_description options("options");
    add_class_options(options);
    const auto values = cli::parse(words, kPublishUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    arguments_of(*values, 0, 0, kPublishUsage);
    Session session(*values, Database::Access::write);
    const int number = session.exercise();
    Gradebook& gradebook = session.gradebook();
    const Version version = session.version(number, true);
    const auto before = gradebook.last_version(number, true);
    if (before && before->id == version.id) {
        std::cout << fmt::format("The last marks of assignment {} are published already.\n", number);
        return cli::kAllPassed;
    }
    write_changes(std::cout, changed_marks(gradebook, version), before.has_value());
    Transaction transaction(gradebook.database());
    gradebook.publish(version.id, now());
    transaction.commit();
    std::cout << fmt::format("Published: {} marks of assignment {}. Next: grader class export --help\n",
                             version.marks.size(), number);
    return cli::kAllPassed;
}

int override_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("withdraw", "let the computed mark count again");
    add_decision_options(options);
    const auto values = cli::parse(words, kOverrideUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const bool withdraw = values->count("withdraw") != 0;
    const std::size_t expected = withdraw ? 1 : 2;
    const Words arguments = arguments_of(*values, expected, expected, kOverrideUsage);
    auto decision = signed_by<Decision>(*values, kOverrideUsage);
    if (!withdraw) decision.points = points_in(arguments[1]);
    Session session(*values, Database::Access::write);
    const int number = session.exercise();
    const Student student = session.student_named(arguments[0]);
    decision.student = student.id;
    require_marks_of_this_grader(session, number);
    Transaction transaction(session.gradebook().database());
    session.gradebook().add_override(number, decision);
    transaction.commit();
    show_changed_marks(session, number, {student.id});
    return cli::kAllPassed;
}

int hold_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("release", "let the mark go again");
    add_decision_options(options);
    const auto values = cli::parse(words, kHoldUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const Words arguments = arguments_of(*values, 1, 1, kHoldUsage);
    auto decision = signed_by<Decision>(*values, kHoldUsage);
    decision.held = values->count("release") == 0;
    Session session(*values, Database::Access::write);
    const int number = session.exercise();
    const Student student = session.student_named(arguments[0]);
    decision.student = student.id;
    Transaction transaction(session.gradebook().database());
    session.gradebook().add_hold(number, decision);
    transaction.commit();
    std::string mark = "no mark yet";
    if (const auto version = session.gradebook().last_version(number, false))
        if (const auto found = version->marks.find(student.id); found != version->marks.end())
            mark = found->second.mark.explanation;
    std::cout << fmt::format("The mark of {} for assignment {} ({}) is {}.\n", shown_name(student.person),
                             number, mark, decision.held ? "held back from exports" : "no longer held back");
    return cli::kAllPassed;
}

int late_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("withdraw", "let the time count again that was there before");
    add_decision_options(options);
    const auto values = cli::parse(words, kLateUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const bool withdraw = values->count("withdraw") != 0;
    const std::size_t expected = withdraw ? 1 : 2;
    const Words arguments = arguments_of(*values, expected, expected, kLateUsage);
    auto correction = signed_by<TimeCorrection>(*values, kLateUsage);
    Session session(*values, Database::Access::write);
    const int number = session.exercise();
    if (!withdraw) correction.when = read_written_time(arguments[1], DateOrder::unknown);
    const Student student = session.student_named(arguments[0]);
    const Attempt before = attempts_of(session, number, student).back();
    correction.attempt = before.number;
    require_marks_of_this_grader(session, number);
    Transaction transaction(session.gradebook().database());
    session.gradebook().add_time_correction(correction);
    transaction.commit();
    const std::vector<Attempt> attempts = session.gradebook().all_attempts(number);
    const auto after = std::ranges::find(attempts, before.number, &Attempt::number);
    std::cout << fmt::format("{}, attempts/{}: {} instead of {}\n", shown_name(student.person), before.number,
                             time_in_words(after->time), time_in_words(before.time));
    show_changed_marks(session, number, before.students);
    return cli::kAllPassed;
}

int replace_command(const Words& words) {
    po::options_description options("options");
    add_decision_options(options);
    const auto values = cli::parse(words, kReplaceUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const Words arguments = arguments_of(*values, 2, 2, kReplaceUsage);
    Session session(*values, Database::Access::write);
    const int number = session.exercise();
    const Student student = session.student_named(arguments[0]);
    const Attempt broken = attempts_of(session, number, student).back();
    Exercise exercise = session.open(number);
    const AttemptState state = state_of(session.gradebook(), exercise, broken, session.gradebook().faults());
    if (state.pending || state.problem.empty())
        throw UserError(fmt::format(
            "attempts/{}, the last of {}, {}; expected one that cannot be graded, as grader class status "
            "shows them; what is handed in later is another attempt: grader class add",
            broken.number, shown_name(student.person),
            state.pending ? "is not graded yet" : "can be graded"));
    std::string note = "the files were replaced by " + author_of(*values);
    if (values->count("reason") != 0) note += ": " + reason_of(*values, kReplaceUsage);
    const Attempt repaired = replace_files(session.folder(), session.gradebook(), broken, arguments[1], note);
    std::cout << fmt::format(
        "{}: attempts/{} is in the place of attempts/{}, with the same time: {}.\nNext: grader class grade "
        "--assignment {}\n",
        shown_name(student.person), repaired.number, broken.number, when_text(broken.time), number);
    return cli::kAllPassed;
}

}  // namespace attn::classes
