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

std::string reason_of(const po::variables_map& values, const char* usage) {
    std::string reason = values.count("reason") != 0 ? values["reason"].as<std::string>() : "";
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
    Decision decision;
    decision.reason = reason_of(*values, kOverrideUsage);
    decision.author = author_of(*values);
    decision.at = now();
    if (!withdraw) decision.points = points_in(arguments[1]);
    Session session(*values, Database::Access::write);
    const int number = session.exercise();
    const Student student = session.student_named(arguments[0]);
    decision.student = student.id;
    Transaction transaction(session.gradebook().database());
    session.gradebook().add_override(number, decision);
    transaction.commit();
    Exercise exercise = session.open(number);
    const bool published_before = session.gradebook().last_version(number, true).has_value();
    const Version version = update_version(session.gradebook(), exercise);
    write_changes(std::cout, changed_marks(session.gradebook(), version), published_before);
    std::cout << fmt::format(
        "To make these the marks that are exported: grader class publish --assignment {}\n", number);
    return cli::kAllPassed;
}

int hold_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("release", "let the mark go again");
    add_decision_options(options);
    const auto values = cli::parse(words, kHoldUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const Words arguments = arguments_of(*values, 1, 1, kHoldUsage);
    Decision decision;
    decision.reason = reason_of(*values, kHoldUsage);
    decision.author = author_of(*values);
    decision.at = now();
    decision.held = values->count("release") == 0;
    Session session(*values, Database::Access::write);
    const int number = session.exercise();
    const Student student = session.student_named(arguments[0]);
    decision.student = student.id;
    Transaction transaction(session.gradebook().database());
    session.gradebook().add_hold(number, decision);
    transaction.commit();
    std::cout << fmt::format("The mark of {} for assignment {} is {}.\n", shown_name(student.person), number,
                             decision.held ? "held back from exports" : "no longer held back");
    return cli::kAllPassed;
}

}  // namespace attn::classes
