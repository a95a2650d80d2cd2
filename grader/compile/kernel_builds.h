#pragma once
/// The kernels of a submission, built twice for the GPU emulator: fast, and with every memory access watched.
/// Several threads may use this at once.

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "grader/compile/builds.h"

namespace attn::compile {

/// Workers for the kernels of an assignment, with the kernels of earlier assignments that they call.
struct KernelWorkers {
    worker::Worker fast, watched;
};

class KernelBuilds {
  public:
    /// Uses the submission and the rubrics of `builds`.
    explicit KernelBuilds(const Builds& builds)
        : fast_(builds.of_kernels(Kernels::fast)), watched_(builds.of_kernels(Kernels::watched)) {}

    /// The same builds of another submission.
    KernelBuilds(const KernelBuilds& other, const std::filesystem::path& submission)
        : fast_(other.fast_.of_folder(submission)), watched_(other.watched_.of_folder(submission)) {}

    /// The folder of the submission, and what reads its files.
    const std::filesystem::path& folder() const { return fast_.folder(); }
    SourceReader& reader() const { return fast_.reader(); }

    /// The assignments whose kernels those of this one call.
    std::vector<const rubric::Rubric*> called_by(const rubric::Rubric& rubric) const {
        return fast_.needed_by(rubric);
    }

    /// Whether the submission has the file with an assignment's kernels.
    bool has(const rubric::Rubric& rubric) const { return rubric.cuda && fast_.has(rubric.cuda->source); }
    /// Whether this file has a statement, so that its kernels can write something.
    bool begun(const rubric::Rubric& rubric) const {
        return has(rubric) && fast_.facts_of(rubric.cuda->source).has_statement;
    }

    /// The source file with the result of compiling it. Throws as build_submission() does.
    report::SourceFile source(const rubric::Rubric& rubric);

    /// Requires that the source compiled.
    KernelWorkers workers_for(const rubric::Rubric& rubric);

    /// The libraries that a worker for `rubric` opens, of the build `how`.
    std::vector<std::filesystem::path> libraries_of(const rubric::Rubric& rubric, Kernels how);

    /// Replaces addresses by file and line in a finding of the emulator. `libraries`: those of the worker.
    /// Runs addr2line at most once for each of them, and not again for a library that twice took too long.
    std::string resolve(const std::vector<std::filesystem::path>& libraries, const std::string& found);

  private:
    /// What addr2line has printed for addresses of a library, and how often it did not succeed.
    struct Places {
        std::map<std::string, std::string> lines;
        int failures = 0;
    };
    void look_up(const std::filesystem::path& library, std::set<std::string> addresses);

    Builds fast_, watched_;
    std::mutex mutex_;
    std::map<std::filesystem::path, Places> places_;  ///< by library
};

}  // namespace attn::compile
