#include "grader/cli/emulated_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "grader/cli/commands.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/compile/prelude.h"
#include "grader/worker/interrupt.h"
#include "grader/worker/process.h"

namespace attn::cli {
namespace {

namespace fs = std::filesystem;

worker::CommandResult run_tool(const std::string& program, const std::vector<std::string>& arguments,
                               const fs::path& folder) {
    worker::Command command;
    command.argv = {program};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
    command.directory = folder;
    return worker::run_command(command, compile::kCompileTime_s, compile::kCompilerOutput);
}

/// Runs g++ in a folder without a sandbox, because the users compile their own source.
emulator::RunResult run_compiler(const Installation& installation, const std::vector<std::string>& arguments,
                                 const fs::path& folder) {
    const worker::CommandResult result = run_tool(installation.compiler, arguments, folder);
    const bool ended = !result.timed_out && !result.too_much_output && result.ending.signal == 0;
    return {worker::succeeded(result), result.printed + (ended ? "" : "the compiler did not finish\n")};
}

/// The current environment without the emulator's variables, and with these variables.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
    std::vector<std::string> all;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string entry = *each;
        if (!entry.starts_with("ATTN_EMULATOR_")) all.push_back(entry);
    }
    for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

/// A child process that shares our standard streams. The destructor kills it.
class Child {
  public:
    Child(const fs::path& program, std::vector<std::string> arguments, std::vector<std::string> environment,
          bool silent) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        if (silent)
            for (const int output : {STDOUT_FILENO, STDERR_FILENO})
                posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
        arguments.insert(arguments.begin(), program.string());
        const int error = posix_spawn(&pid_, program.c_str(), &actions, nullptr, pointers(arguments).data(),
                                      pointers(environment).data());
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0)
            throw std::system_error(error, std::generic_category(), "cannot start " + program.string());
    }
    ~Child() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void terminate() const { ::kill(pid_, SIGTERM); }

    /// Whether it has ended; if so, `status` is that of waitpid.
    bool ended(int& status) {
        const pid_t seen = waitpid(pid_, &status, WNOHANG);
        if (seen < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
        if (seen == pid_) pid_ = -1;
        return seen > 0;
    }

  private:
    pid_t pid_ = -1;
};

fs::path normal(const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(path));
}

fs::path inside(const fs::path& root, const fs::path& path) {
    return normal(path).lexically_relative(root);
}

/// The deepest folder that all files are in, and all folders of headers as well unless that is only /.
fs::path folder_of_all(const std::vector<fs::path>& files, const std::vector<std::string>& include_folders) {
    const auto holds = [](const fs::path& root, const fs::path& path) {
        return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
    };
    const auto widened = [&](fs::path root, const fs::path& path) {
        while (!holds(root, path)) root = root.parent_path();
        return root;
    };
    fs::path root = normal(files.front()).parent_path();
    for (const fs::path& file : files) root = widened(root, normal(file));
    for (const std::string& folder : include_folders)
        if (const fs::path wider = widened(root, normal(folder)); wider != wider.root_path()) root = wider;
    return root;
}

/// Makes `program` of the objects of the files `names`. Throws UsageError.
void link(const std::string& names, const std::vector<std::string>& objects,
          const emulator::Compiler& compiler, const Installation& installation) {
    std::vector<std::string> words = objects;
    words.insert(words.end(), {"-o", "../program"});
    for (const std::string& flag : emulator::program_flags(installation.emulator_library))
        words.push_back(flag);
    const emulator::RunResult linked = compiler.run(words);
    if (!linked.ok && linked.output.find("undefined reference to `main'") != std::string::npos)
        throw UsageError(names +
                         " has no main: `grader emulate` runs a program; write an int main() that calls your "
                         "functions (`grader grade` needs none)");
    if (!linked.ok) throw UsageError(names + " cannot be linked:\n" + linked.output);
}

}  // namespace

EmulatedProgram::EmulatedProgram(const std::vector<fs::path>& files, emulator::Mode mode,
                                 const std::vector<std::string>& include_folders,
                                 const Installation& installation) {
    compile::require_compiler(installation);
    for (const fs::path& file : files) data::require_file(file);
    const fs::path prelude = compile::kernel_prelude(mode, installation);
    const fs::path root = folder_of_all(files, include_folders), sources = folder_ / "source";
    fs::create_directory(sources);
    std::vector<std::string> names,
        flags = emulator::compile_flags(mode, installation.emulator_headers.string());
    for (const fs::path& file : files) names.push_back(inside(root, file).string());
    for (const char* word : {"-include", "attn_program.h"}) flags.emplace_back(word);
    // A header that was rewritten comes before the one that it was made of. Headers that were not rewritten,
    // such as those of a parent folder, are included from their own folder.
    std::vector<fs::path> folders;
    for (const std::string& folder : include_folders) {
        folders.push_back(inside(root, folder));
        flags.push_back("-I" + (sources / folders.back()).string());
        flags.push_back("-I" + fs::absolute(folder).string());
    }
    for (const std::string& flag : compile::include_flags(installation.assignments.string(), installation))
        flags.push_back(flag);
    if (!installation.cuda_headers.empty()) flags.push_back("-I" + installation.cuda_headers.string());
    const emulator::Compiler compiler{
        [&](const auto& arguments) { return run_compiler(installation, arguments, sources); },
        [&](const std::string& assembly, const std::string& functions) {
            return emulator::place_shared_arrays_in(folder_ / assembly,
                                                    functions.empty() ? fs::path() : folder_ / functions);
        },
        ".."};
    try {
        const auto originals = emulator::rewrite_files(root, names, sources, folders);
        std::vector<std::string> objects;
        for (const std::string& name : names) {
            std::vector<std::string> its_flags = flags;
            its_flags.push_back("-iquote" + (root / name).parent_path().string());
            auto compiled = emulator::compile(compiler, name, "program" + std::to_string(objects.size()),
                                              its_flags, compile::prelude_header(prelude));
            emulator::show_original_lines(compiled, originals);
            if (!compiled.ok) throw UsageError(name + " does not compile:\n" + compiled.messages);
            warnings_ += compiled.messages;
            objects.push_back(compiled.object);
        }
        link(fmt::format("{}", fmt::join(names, ", ")), objects, compiler, installation);
    } catch (const emulator::Unsupported& refused) {
        throw UsageError(refused.what());
    }
}

ProgramRun EmulatedProgram::run(const RunOptions& options) const {
    const fs::path report = folder_ / "findings.txt";
    fs::remove(report);
    // The emulator's run time stops an endless kernel before the whole program times out.
    constexpr double kShareOfOneLaunch = 0.25;
    std::map<std::string, std::string> variables = {
        {"ATTN_EMULATOR_SEED", std::to_string(options.seed)},
        {"ATTN_EMULATOR_TIME_S", std::to_string(kShareOfOneLaunch * options.limit_s)},
        {"ATTN_EMULATOR_MEMORY_MIB", std::to_string(options.memory_mib)},
        {"ATTN_EMULATOR_REPORT", report.string()}};
    if (options.leaks) variables["ATTN_EMULATOR_LEAKS"] = "1";
    if (options.quiet) variables["ATTN_EMULATOR_HOSTED"] = "1";
    Child child(folder_ / "program", options.arguments, environment_with(variables), options.silent);
    auto deadline = worker::in_seconds(options.limit_s);
    ProgramRun result;
    int status = 0;
    constexpr useconds_t kPollInterval_us = 2000;
    constexpr double kTimeToTerminate_s = 0.5;
    while (!child.ended(status)) {
        worker::throw_if_interrupted();
        if (worker::Clock::now() > deadline) {
            if (std::exchange(result.overdue, true)) break;  // the destructor of `child` kills it
            child.terminate();
            deadline = worker::in_seconds(kTimeToTerminate_s);
        }
        usleep(kPollInterval_us);
    }
    if (!result.overdue && WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (!result.overdue && WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    std::ifstream lines(report);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos) continue;
        if (line.substr(0, tab) == "progress")
            result.progress = line.substr(tab + 1);
        else
            result.findings.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    return result;
}

std::string EmulatedProgram::frames_at(const std::string& module, const std::string& offset) {
    static std::map<std::string, std::string> known;
    const auto [at, is_new] = known.emplace(module + "+" + offset, "");
    if (!is_new) return at->second;
    for (const char* tool : {"/usr/bin/addr2line", "/usr/local/bin/addr2line"})
        if (fs::exists(tool)) return at->second = run_tool(tool, {"-i", "-e", module, offset}, "/").printed;
    return {};
}

}  // namespace attn::cli
