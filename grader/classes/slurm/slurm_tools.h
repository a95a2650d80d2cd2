#pragma once
/// The commands of Slurm that the engine needs, and what they print.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attn::classes {

/// A task of an array as squeue shows it.
struct SlurmTask {
    std::string state;   ///< "PENDING", "RUNNING", "COMPLETING"
    std::string reason;  ///< why it waits: "Resources", "launch failed requeued held"
};

/// Tasks by number, from the lines of `squeue --array --format="%K|%T|%r"`. Throws UserError for other lines.
std::map<int, SlurmTask> read_squeue(const std::string& lines);

/// Whether a task will never run, although Slurm keeps it.
bool is_stuck(const SlurmTask& task);

/// MaxArraySize in the lines of `scontrol show config`; Slurm's default if they do not say.
int read_max_array_size(const std::string& lines);

/// Throws UserError unless sbatch, squeue, scancel and scontrol are in PATH and the controller answers.
/// Returns the largest number of tasks in an array.
int ask_for_array_size();

/// Submits a script with options. Throws UserError with Slurm's words if it refuses.
void submit(const std::vector<std::string>& options, const std::filesystem::path& script);

/// The tasks of the user's array with this name that have not ended; nothing if the controller does not
/// answer.
std::optional<std::map<int, SlurmTask>> ask_for_tasks(const std::string& array);

/// Ends an array, or some of its tasks. Does not throw: it is also called while the program is interrupted.
void cancel_array(const std::string& array) noexcept;
void cancel_task(const std::string& array, int task);

}  // namespace attn::classes
