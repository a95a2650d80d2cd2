// The grader's commands and nothing else (exit codes: cli/program.h).

#include <iostream>
#include <map>

#include "grader/cli/commands.h"

namespace {

using attn::cli::Words;

constexpr const char* kUsage =
    "usage: grader COMMAND ..\n"
    "  grader grade WORK     grade a submission, for example: grader grade student\n"
    "  grader explain ID     replay one failed check of the last report, with all its numbers\n"
    "  grader diff OLD NEW   what got better and what worse between two reports (.json)\n"
    "  grader run FUNCTION   run a function on your own .npy arrays\n"
    "  grader emulate F.cu   run a CUDA program without a GPU: what is wrong in its kernels\n"
    "  grader list           assignments, parts, functions, points\n"
    "  grader doctor         what works here: the layers that hold a submission\n"
    "  grader new N NAME     writes the files of a new assignment, for its author\n"
    "  grader prepare        compiles the contract's headers ahead (the build has done it)\n"
    "`grader COMMAND --help` shows a command's options with examples.\n";

int dispatch(const Words& words) {
    static const std::map<std::string, int (*)(const Words&)> kCommands = {
        {"grade", attn::cli::grade_command},     {"explain", attn::cli::explain_command},
        {"diff", attn::cli::diff_command},       {"run", attn::cli::run_command},
        {"doctor", attn::cli::doctor_command},   {"list", attn::cli::list_command},
        {"prepare", attn::cli::prepare_command}, {"emulate", attn::cli::emulate_command},
        {"new", attn::cli::new_command}};
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
