// The main program: runs one of the grader's commands. The exit codes are in cli/program.h.

#include <iostream>
#include <map>

#include "grader/cli/commands.h"

namespace {

using attn::cli::Words;

constexpr const char* kUsage =
    "usage: grader COMMAND ..\n"
    "  grader grade WORK     grade a submission, for example: grader grade student\n"
    "  grader watch FOLDER   grade again whenever a source is saved\n"
    "  grader explain ID     run one check of the last report again and show all its numbers\n"
    "  grader debug ID       start the debugger in the call of a check of the last report\n"
    "  grader diff OLD NEW   show what got better or worse between two reports (.json)\n"
    "  grader run FUNCTION   run a function on your own arrays\n"
    "  grader example        show a small worked example of each function\n"
    "  grader emulate F.cu   run a CUDA program without a GPU and find errors in its kernels\n"
    "  grader list           show assignments, parts, functions and points\n"
    "  grader doctor         test this machine: sandbox layers and compiler\n"
    "  grader new N NAME     write the files of a new assignment, for its author\n"
    "  grader catalogue      show the recipes, properties and helpers that authors can use\n"
    "  grader class          grade a whole class: downloads, marks, exports\n"
    "  grader prepare        precompile the contract's headers (the build does this, too)\n"
    "`grader COMMAND --help` shows a command's options with examples.\n";

int dispatch(const Words& words) {
    static const std::map<std::string, int (*)(const Words&)> kCommands = {
        {"grade", attn::cli::grade_command},
        {"watch", attn::cli::watch_command},
        {"explain", attn::cli::explain_command},
        {"diff", attn::cli::diff_command},
        {"run", attn::cli::run_command},
        {"doctor", attn::cli::doctor_command},
        {"list", attn::cli::list_command},
        {"prepare", attn::cli::prepare_command},
        {"emulate", attn::cli::emulate_command},
        {"debug", attn::cli::debug_command},
        {"example", attn::cli::example_command},
        {"new", attn::cli::new_command},
        {"catalogue", attn::cli::catalogue_command},
        {"class", attn::cli::class_command}};
    if (!words.empty() && (words[0] == "--help" || words[0] == "-h" || words[0] == "help")) {
        std::cout << kUsage;
        return attn::cli::kAllPassed;
    }
    const auto command = words.empty() ? kCommands.end() : kCommands.find(words[0]);
    if (command == kCommands.end()) {
        throw attn::cli::UsageError(
            (words.empty() ? "a command is missing\n" : "there is no command '" + words[0] + "'\n") +
            std::string(kUsage));
    }
    return command->second(Words(words.begin() + 1, words.end()));
}

}  // namespace

int main(int argc, char** argv) {
    return attn::cli::run_program("grader", argc, argv, dispatch);
}
