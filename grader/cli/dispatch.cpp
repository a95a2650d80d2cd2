#include <cerrno>
#include <filesystem>
#include <iostream>
#include <map>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "grader/base/installation.h"
#include "grader/base/version.h"
#include "grader/cli/commands.h"

namespace attn::cli {

namespace {

constexpr const char* kGraderUsage =
    "usage: grader COMMAND ..\n"
    "  grader grade WORK     grade a submission, for example: grader grade student\n"
    "  grader watch FOLDER   grade again whenever a source is saved\n"
    "  grader explain ID     run one check of the last report again and show all its numbers\n"
    "  grader debug ID       start the debugger in the call of a check of the last report\n"
    "  grader diff OLD NEW   show what got better or worse between two reports (.json)\n"
    "  grader run FUNCTION   run a function on your own arrays\n"
    "  grader example        show a small worked example of each function\n"
    "  grader quiz           asks for the shapes of arrays\n"
    "  grader emulate F.cu   run a CUDA program without a GPU and find errors in its kernels\n"
    "  grader list           show assignments, parts, functions and points\n"
    "  grader doctor         test this machine: sandbox layers and compiler\n"
    "  grader new N NAME     write the files of a new assignment, for its author\n"
    "  grader catalogue      show the recipes, properties and helpers that authors can use\n"
    "  grader class          grade a whole class: downloads, marks, exports\n"
    "  grader prepare        precompile the contract's headers (the build does this, too)\n"
    "  grader needs WORK     print what else the build has to make for a submission (the Makefile asks)\n"
    "  grader --version      show which version this is\n"
    "`grader COMMAND --help` shows a command's options with examples.\n";

}  // namespace

int dispatch(const Words& words) {
    static const std::map<std::string, int (*)(const Words&)> kCommands = {
        {"grade", grade_command},     {"watch", watch_command},
        {"explain", explain_command}, {"diff", diff_command},
        {"run", run_command},         {"doctor", doctor_command},
        {"list", list_command},       {"prepare", prepare_command},
        {"emulate", emulate_command}, {"debug", debug_command},
        {"example", example_command}, {"new", new_command},
        {"needs", needs_command},     {"catalogue", catalogue_command},
        {"class", class_command},     {"quiz", quiz_command}};
    if (!words.empty() && (words[0] == "--help" || words[0] == "-h" || words[0] == "help")) {
        std::cout << kGraderUsage;
        return kAllPassed;
    }
    if (words.size() == 1 && words[0] == "--version") {
        std::cout << version_line(Installation()) << '\n';
        return kAllPassed;
    }
    const auto command = words.empty() ? kCommands.end() : kCommands.find(words[0]);
    if (command == kCommands.end()) {
        throw UsageError(
            (words.empty() ? "a command is missing\n" : "there is no command '" + words[0] + "'\n") +
            std::string(kGraderUsage));
    }
    return command->second(Words(words.begin() + 1, words.end()));
}

int class_command(const Words& words) {
    const std::filesystem::path program =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "grader-class";
    if (!std::filesystem::exists(program))
        throw UserError(
            fmt::format("{}: there is no such program yet; expected the one that grades classes; type make "
                        "class-program in the project's folder",
                        program.string()));
    std::vector<const char*> argv{program.c_str()};
    for (const std::string& word : words) argv.push_back(word.c_str());
    argv.push_back(nullptr);
    execv(program.c_str(), const_cast<char* const*>(argv.data()));
    throw std::system_error(errno, std::generic_category(), program.string());
}

}  // namespace attn::cli
