#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "grader/cli/commands.h"
#include "grader/cli/debug_program.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/contract/contract_reader.h"
#include "grader/report/text.h"

namespace attn::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDebugUsage =
    "usage: grader debug ID [options]\n"
    "Writes a small program that makes the call of a failed check, builds it with your sources and starts "
    "the\n"
    "debugger at your function. It runs your code outside of the sandbox.\n"
    "  grader debug 2.softmax.ragged\n"
    "  grader debug 2.softmax.ragged --write here     only write and build it, for another debugger\n";

/// Runs a program without a shell, with the terminal of this one. Returns its exit code.
int run_here(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// The submission's files to compile. Throws UserError if the submission is no folder, or if the source has another name
/// there.
std::vector<std::string> sources_in(const fs::path& submission, const RecordedCall& call) {
    if (!fs::is_directory(submission))
        throw UserError(submission.string() +
                        ": this is not a folder; unpack it, grade the folder, and debug again");
    if (std::ranges::none_of(call.sources,
                             [&](const std::string& name) { return fs::is_regular_file(submission / name); }))
        throw UserError(
            fmt::format("{}: there is no {}; the debugger needs the source under this name; rename it",
                        submission.string(), fmt::join(call.sources, ", ")));
    std::vector<std::string> found;
    for (const auto* names : {&call.sources, &call.other_sources})
        for (const std::string& name : *names)
            if (fs::is_regular_file(submission / name))
                found.push_back(fs::absolute(submission / name).string());
    return found;
}

/// The compiler's command. `folder`: with the program.
std::vector<std::string> compiler_command(const Installation& installation, const fs::path& folder,
                                          const std::vector<std::string>& sources) {
    std::vector<std::string> words = {
        installation.compiler,   "-std=c++20",           "-g", "-O0", "-Wall", "-Wextra",
        "-D_GLIBCXX_ASSERTIONS", "-DATTN_BOUNDS_CHECK=1"};
    for (const std::string& flag : compile::include_flags(installation.assignments.string(), installation))
        words.push_back(flag);
    words.push_back((folder / "debug.cpp").string());
    words.insert(words.end(), sources.begin(), sources.end());
    words.insert(words.end(), {"-o", (folder / "debug").string()});
    return words;
}

/// A word of a command line in a Makefile, in which $$ is a $.
std::string quoted(const std::string& word) {
    std::string text;
    for (const char c : report::quoted_for_shell(word, "+=")) text += c == '$' ? "$$" : std::string(1, c);
    return text;
}

bool is_in_path(const std::string& program) {
    for (const char* folder : {"/usr/local/bin", "/usr/bin", "/bin"})
        if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

}  // namespace

int debug_command(const Words& words) {
    std::string report;
    po::options_description options("options");
    options.add_options()("report", po::value(&report)->default_value("build/report.json"),
                          "the report that `grader grade --json` wrote")(
        "submission", po::value<std::string>(), "folder with the sources; by default that of the report")(
        "write", po::value<std::string>()->value_name("DIR"),
        "write and build the program in this folder, without starting a debugger");
    const auto values = parse(words, kDebugUsage, options, "id");
    if (!values) return kAllPassed;
    const std::string id =
        arguments_of(*values, "id", 1,
                     std::string("give the ID of one check, as shown in the report\n") + kDebugUsage)
            .front();
    const report::RecordedCheck recorded = report::recorded_check_in(report, id);
    const Installation installation;
    const RecordedCall call = recorded_call(recorded, installation);
    const fs::path submission =
        values->count("submission") != 0 ? (*values)["submission"].as<std::string>() : recorded.submission;
    const std::vector<std::string> sources = sources_in(submission, call);

    const bool only_write = values->count("write") != 0;
    const fs::path folder = fs::absolute(only_write ? fs::path((*values)["write"].as<std::string>())
                                                    : fs::path(report).parent_path() / "debug" / id);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw data::FileError(folder, "the folder cannot be created (" + error.message() + ")",
                              "a folder for the program was expected", "choose another with --write");
    const DebugProgram program =
        debug_program(id, call, contract::read_contract(call.contract.string(), [](const std::string& path) {
                          return data::read_file(path);
                      }));
    const auto compile = compiler_command(installation, folder, sources);
    data::write_file(folder / "debug.cpp", program.main);
    data::write_file(folder / "arrays.h", program.arrays);
    std::vector<std::string> typed;
    for (const std::string& word : compile) typed.push_back(quoted(word));
    data::write_file(
        folder / "Makefile",
        fmt::format(
            "# Builds the program again after a change of the sources.\ndebug:\n\t{}\n.PHONY: debug\n",
            fmt::join(typed, " ")));
    std::cout << fmt::format("{}: {}\nThe program is {}.\nIt runs your code outside of the sandbox.\n", id,
                             call.about, (folder / "debug.cpp").string());
    for (const std::string& function : recorded.stand_ins)
        std::cout << fmt::format(
            "The grader used the reference's {} for this check; the program calls yours.\n", function);
    if (run_here(compile) != 0)
        throw UserError(fmt::format("{}: the program does not build; the compiler's messages are above", id));
    const std::string built = (folder / "debug").string();
    const fs::path arrays = installation.assignments / "tensor_gdb.py";  // shows views as arrays
    const std::vector<std::string> debugger = {
        "gdb", "-q",          "-x",  arrays.string(), "-ex", "break attn::" + call.function->name,
        "-ex", "catch throw", "-ex", "run",           built};
    const bool interactive = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
    if (only_write || !interactive || !is_in_path("gdb")) {
        if (!only_write && interactive)
            std::cout << "gdb is not installed (Debian, Ubuntu: apt-get install gdb).\n";
        std::cout << fmt::format(
            "Run it:      {}\nDebug it:    gdb -q -x {} -ex 'break attn::{}' -ex run {}\n", quoted(built),
            quoted(arrays.string()), call.function->name, quoted(built));
        return kAllPassed;
    }
    std::cout << "Commands of gdb: next, step, continue, print NAME (also of an array), backtrace, quit.\n";
    run_here(debugger);
    return kAllPassed;
}

}  // namespace attn::cli
