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
#include <memory>
#include <string>
#include <vector>

#include "grader/classes/engine/engine.h"
#include "grader/classes/slurm/cluster_rules.h"

namespace attn::classes {

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

}  // namespace attn::classes
