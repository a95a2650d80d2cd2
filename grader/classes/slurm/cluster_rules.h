#pragma once
/// The table [slurm] of class.toml: what the tasks of a class need of a cluster.

#include <filesystem>
#include <string>
#include <vector>

namespace attn::classes {

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

}  // namespace attn::classes
