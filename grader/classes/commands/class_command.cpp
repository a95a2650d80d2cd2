#include <iostream>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include "grader/base/installation.h"
#include "grader/base/version.h"
#include "grader/classes/commands/commands.h"

namespace attn::classes {
namespace {

constexpr const char* kClassUsage =
    "usage: grader class COMMAND ..\n"
    "Grades a whole class, from a platform's download to grades that can be uploaded. Everything about a "
    "class is in one\n"
    "folder; the commands work on the one that you are in, or on --class DIR.\n"
    "  grader class init DIR     make the folder of a class\n"
    "  grader class add FILE     take in a roster or a download from a course platform\n"
    "  grader class grade        grade what has no result yet, and show which marks change\n"
    "  grader class status       show what is graded, what is not and why\n"
    "  grader class show WHO     show what one student handed in, what is wrong with it, and the mark\n"
    "  grader class override     set a mark by hand, with a reason\n"
    "  grader class hold         keep a mark out of exports, with a reason\n"
    "  grader class late         correct when something was handed in, with a reason\n"
    "  grader class replace      replace files that could not be graded\n"
    "  grader class publish      make the last marks the ones that are exported\n"
    "  grader class export       write grades or feedback for a course platform\n"
    "  grader class report       write the instructor's page: what the class did not understand\n"
    "  grader class similarity   write pairs of submissions that look alike\n"
    "  grader class --version    show which version this is\n"
    "`grader class COMMAND --help` shows a command's options with examples.\n";

}  // namespace

int class_command(const Words& words) {
    static const std::map<std::string, int (*)(const Words&)> kCommands = {
        {"init", init_command},         {"add", add_command},
        {"grade", grade_command},       {"status", status_command},
        {"show", show_command},         {"publish", publish_command},
        {"override", override_command}, {"hold", hold_command},
        {"work", work_command},         {"late", late_command},
        {"replace", replace_command},   {"export", export_command},
        {"report", report_command},     {"similarity", similarity_command}};
    if (!words.empty() && (words[0] == "--help" || words[0] == "-h" || words[0] == "help")) {
        std::cout << kClassUsage;
        return cli::kAllPassed;
    }
    if (words.size() == 1 && words[0] == "--version") {
        std::cout << version_line(Installation()) << '\n';
        return cli::kAllPassed;
    }
    const auto command = words.empty() ? kCommands.end() : kCommands.find(words[0]);
    if (command == kCommands.end())
        throw cli::UsageError(
            (words.empty() ? "a command is missing\n" : "there is no command '" + words[0] + "'\n") +
            std::string(kClassUsage));
    try {
        return command->second(Words(words.begin() + 1, words.end()));
    } catch (const std::system_error& error) {
        // A place that is missing or full, or that may not be written: the teacher can mend it.
        throw UserError(
            fmt::format("{}; check the place, its permissions and the room on the disk", error.what()));
    }
}

}  // namespace attn::classes
