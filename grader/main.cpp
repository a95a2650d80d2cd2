// The grader's commands and what its exit code means; nothing else.

#include <exception>
#include <iostream>
#include <map>

#include "datasets/file_error.h"
#include "datasets/shipped.h"
#include "grader/ask/check.h"
#include "grader/base/installation.h"
#include "grader/build/build.h"
#include "grader/cli/commands.h"
#include "grader/report/from_json.h"
#include "grader/report/platforms/autolab.h"
#include "grader/report/text.h"
#include "grader/rubric/rubric.h"
#include "grader/worker/interrupt.h"

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
    "  grader selfcheck      the grader proves itself\n"
    "  grader prepare        compiles the contract's headers ahead (the build has done it)\n"
    "`grader COMMAND --help` shows a command's options with examples.\n";

int dispatch(const Words& words) {
    static const std::map<std::string, int (*)(const Words&)> kCommands = {
        {"grade", attn::cli::grade_command},         {"explain", attn::cli::explain_command},
        {"diff", attn::cli::diff_command},           {"run", attn::cli::run_command},
        {"doctor", attn::cli::doctor_command},       {"list", attn::cli::list_command},
        {"selfcheck", attn::cli::selfcheck_command}, {"prepare", attn::cli::prepare_command},
        {"emulate", attn::cli::emulate_command}};
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

/// An error may quote a submission's names and its compiler.
std::string in_a_log(const std::exception& error) {
    return attn::report::without_commands(attn::report::clean(error.what()));
}

int refuse(const std::exception& error) {
    std::cerr << "grader: " << in_a_log(error) << '\n';
    return attn::cli::kBadUsage;
}

}  // namespace

int main(int argc, char** argv) {
    attn::worker::watch_interrupts();
    try {
        attn::data::set_shipped_folder(attn::Installation().datasets);
        return dispatch(Words(argv + 1, argv + argc));
    } catch (const attn::worker::Interrupted&) {
        std::cerr << "grader: interrupted; nothing is left behind.\n";
        return attn::cli::kInterrupted;
    } catch (const attn::cli::UsageError& error) {
        return refuse(error);
    } catch (const attn::submission::RubricError& error) {
        return refuse(error);
    } catch (const attn::submission::SubmissionError& error) {
        return refuse(error);
    } catch (const attn::report::NoReport& error) {
        return refuse(error);
    } catch (const attn::report::NoProblemName& error) {
        return refuse(error);
    } catch (const attn::ask::InputError& error) {
        return refuse(error);
    } catch (const attn::data::FileError& error) {
        return refuse(error);
    } catch (const std::exception& error) {
        std::cerr << "grader: a fault of the grader, not of the submission; nothing was graded.\n  "
                  << in_a_log(error) << '\n';
        return attn::cli::kGraderFault;
    }
}
