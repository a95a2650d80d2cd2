#pragma once
/// The kernels of a submission, built twice for the GPU emulator: fast, and with every memory access watched.
/// Several threads may use this at once.

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/builds.h"

namespace attn::submission {

/// Workers for the kernels of an assignment, with the kernels of earlier assignments that they call.
struct KernelWorkers {
    worker::Worker fast, watched;
};

class KernelBuilds {
  public:
    /// Uses the submission and the rubrics of `builds`.
    explicit KernelBuilds(const Builds& builds)
        : fast_(builds.of_kernels(Kernels::fast)), watched_(builds.of_kernels(Kernels::watched)) {}

    /// Whether the submission has the file with an assignment's kernels.
    bool has(const Rubric& rubric) const { return rubric.cuda && fast_.has(rubric.cuda->source); }

    /// The source file with the result of compiling it. Throws as build() does.
    report::SourceFile source(const Rubric& rubric);

    /// Requires that the source compiled.
    KernelWorkers workers_for(const Rubric& rubric);

    /// The libraries that a worker for `rubric` opens, of the build `how`.
    std::vector<std::filesystem::path> libraries_of(const Rubric& rubric, Kernels how);

    /// Replaces addresses by file and line in a finding of the emulator. `libraries`: those of the worker.
    std::string resolve(const std::vector<std::filesystem::path>& libraries, const std::string& found);

  private:
    std::string lines_at(const std::filesystem::path& library, const std::string& address);

    Builds fast_, watched_;
    std::mutex mutex_;
    /// Lines by library and address. One mistake is found at the same few addresses in many cases.
    std::map<std::pair<std::filesystem::path, std::string>, std::string> known_lines_;
};

}  // namespace attn::submission
