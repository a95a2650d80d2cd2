#pragma once
/// Runs jobs on a cluster with Slurm, as job arrays. The class folder and the build lie in folders that this
/// machine and the nodes share under the same paths. Each task runs `grader-class work`, which leaves its
/// ending in the spool; only this process takes endings in.
///
/// Slurm starts a task again itself if its node is lost (--requeue). A task that ends without an ending,
/// because someone cancelled it or the node killed it, is submitted again by the engine, and is a fault after
/// `tries` times. The engine needs sbatch, squeue, scancel and scontrol, and no accounting database.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/engine/engine.h"

namespace attn::classes {

/// The table [slurm] of class.toml: what the tasks of a class need of a cluster.
struct ClusterRules {
    std::string partition, account;         ///< empty: the cluster's default
    std::string gres;                       ///< "gpu:1": what each task needs besides processors
    std::vector<std::string> more;          ///< other options of sbatch: "--qos=short"
    int processors = 2, memory_mib = 4096;  ///< of each task
    int at_once = 0;                        ///< tasks that run at a time; 0: as many as fit
    /// A folder that every node has for itself, for temporary files and the cache of builds. Empty: the
    /// node's /tmp, and the user's cache.
    std::filesystem::path scratch;
};

struct SlurmOptions {
    ClusterRules rules;
    int tries = 3;
    double poll_s = 10;  ///< how often squeue is asked; the spool is looked at every second
    /// The program and its first argument that run a task; the spool and the file of the job follow.
    std::vector<std::string> worker;
    /// Is told a sentence when something is worth knowing: what Slurm waits for, what is run again.
    std::function<void(const std::string& sentence)> note = [](const std::string&) {};
};

/// Throws UserError if this machine has no Slurm commands.
std::unique_ptr<Engine> slurm_engine(const std::filesystem::path& spool, const SlurmOptions& options);

// The commands of Slurm that the engine needs, and what they print.

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
