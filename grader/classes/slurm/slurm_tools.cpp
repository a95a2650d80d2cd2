#include <array>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "grader/base/errors.h"
#include "grader/base/text_lines.h"
#include "grader/classes/run_tool.h"
#include "grader/classes/slurm/slurm.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

std::string whose() {
    return fmt::format("--user={}", getuid());
}

/// A command whose standard error belongs to its output.
std::optional<ToolResult> run_with_errors(const std::vector<std::string>& command) {
    std::vector<std::string> words = {"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh"};
    words.insert(words.end(), command.begin(), command.end());
    const auto result = run_tool(words);
    constexpr int kNotFound = 127;
    return result && result->exit_code == kNotFound ? std::nullopt : result;
}

bool is_number(const std::string& text) {
    constexpr std::size_t kDigits = 9;
    return !text.empty() && text.size() <= kDigits &&
           text.find_first_not_of("0123456789") == std::string::npos;
}

[[noreturn]] void throw_without(const std::string& tool) {
    throw UserError(fmt::format(
        "--engine slurm needs the command {}, which is not in PATH. Type this on a login node of the "
        "cluster, or leave --engine out to grade on this machine",
        tool));
}

/// The number of the array with this name; empty if it has ended.
std::string number_of_array(const std::string& array) {
    const auto found = run_tool({"squeue", "--noheader", whose(), "--name=" + array, "--format=%F"});
    if (!found || found->exit_code != 0) return "";
    const std::string number = found->output.substr(0, found->output.find('\n'));
    return is_number(number) ? number : "";
}

}  // namespace

std::map<int, SlurmTask> read_squeue(const std::string& lines) {
    std::map<int, SlurmTask> tasks;
    for (const std::string& line : lines_in(lines)) {
        const std::size_t first = line.find('|'),
                          second = first == std::string::npos ? first : line.find('|', first + 1);
        if (second == std::string::npos || !is_number(line.substr(0, first)))
            throw UserError("squeue printed a line that is not as expected, '" + report::one_line(line) +
                            "'; expected NUMBER|STATE|REASON. Is this a Slurm of version 20 or later?");
        tasks[std::stoi(line.substr(0, first))] = {line.substr(first + 1, second - first - 1),
                                                   line.substr(second + 1)};
    }
    return tasks;
}

bool is_stuck(const SlurmTask& task) {
    if (task.state != "PENDING") return false;
    // Not JobHeldUser and JobHeldAdmin: a person holds these and can release them.
    static constexpr std::array kNever = {"launch failed requeued held",
                                          "launch_failed_requeued_held",
                                          "JobHoldMaxRequeue",
                                          "job_requeued_in_held_state",
                                          "BadConstraints",
                                          "DependencyNeverSatisfied"};
    for (const char* reason : kNever)
        if (task.reason.find(reason) != std::string::npos) return true;
    return false;
}

int read_max_array_size(const std::string& lines) {
    constexpr int kDefault = 1001;
    const std::string key = "MaxArraySize";
    const std::size_t at = lines.find(key);
    if (at == std::string::npos) return kDefault;
    std::istringstream rest(lines.substr(at + key.size()));
    std::string sign;
    int size = 0;
    return rest >> sign >> size && sign == "=" && size > 0 ? size : kDefault;
}

int ask_for_array_size() {
    for (const char* tool : {"sbatch", "squeue", "scancel", "scontrol"})
        if (!run_with_errors({tool, "--version"})) throw_without(tool);
    const auto config = run_with_errors({"scontrol", "show", "config"});
    if (!config || config->exit_code != 0)
        throw UserError("Slurm's controller does not answer: " +
                        report::one_line(config ? config->output : std::string("scontrol is missing")));
    return read_max_array_size(config->output);
}

void submit(const std::vector<std::string>& options, const std::filesystem::path& script) {
    std::vector<std::string> words = {"sbatch", "--parsable"};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(script.string());
    const auto result = run_with_errors(words);
    if (!result) throw_without("sbatch");
    if (result->exit_code != 0)
        throw UserError("Slurm does not take the jobs: " + report::one_line(result->output));
}

std::optional<std::map<int, SlurmTask>> ask_for_tasks(const std::string& array) {
    const auto found =
        run_tool({"squeue", "--noheader", "--array", whose(), "--name=" + array, "--format=%K|%T|%r"});
    if (!found || found->exit_code != 0) return std::nullopt;
    return read_squeue(found->output);
}

void cancel_array(const std::string& array) noexcept {
    try {
        run_tool({"scancel", whose(), "--name=" + array});
    } catch (...) {
        // Its tasks write only endings, which the next start takes in.
    }
}

void cancel_task(const std::string& array, int task) {
    if (const std::string number = number_of_array(array); !number.empty())
        run_tool({"scancel", fmt::format("{}_{}", number, task)});
}

}  // namespace attn::classes
