#pragma once
/// A submission's kernels, built for the emulator of a GPU: once to be fast, once to be watched. Several
/// threads may ask at once.

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/builds.h"

namespace attn::submission {

/// Workers of an assignment's kernels, with the kernels of what it builds on behind them.
struct KernelWorkers {
    worker::Worker fast, watched;
};

class KernelBuilds {
  public:
    /// Of the same submission as `builds`, with the same rubrics.
    explicit KernelBuilds(const Builds& builds)
        : fast_(builds.of_kernels(Kernels::fast)), watched_(builds.of_kernels(Kernels::watched)) {}

    /// Whether the submission has the file with an assignment's kernels.
    bool has(const Rubric& rubric) const { return rubric.cuda && fast_.has(rubric.cuda->source); }

    /// The file, compiled if it can be. Throws as build() does.
    report::SourceFile source(const Rubric& rubric);

    /// Only for what compiled.
    KernelWorkers workers_for(const Rubric& rubric);

    /// Those that a worker of `rubric`'s has open, of this build.
    std::vector<std::filesystem::path> libraries_of(const Rubric& rubric, Kernels how);

    /// Names file and line in what the emulator found in a worker with these libraries.
    std::string resolve(const std::vector<std::filesystem::path>& libraries, const std::string& found);

  private:
    std::string lines_at(const std::filesystem::path& library, const std::string& address);

    Builds fast_, watched_;
    std::mutex turn_;
    /// What was asked before: one mistake is found at the same few places, case after case.
    std::map<std::pair<std::filesystem::path, std::string>, std::string> known_lines_;
};

}  // namespace attn::submission
