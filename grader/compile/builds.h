#pragma once
/// The libraries of a submission, one for each assignment. A library is built when it is first needed,
/// because later parts may call functions of earlier assignments. Several threads may use this at once.

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "grader/compile/build.h"
#include "grader/compile/source_reader.h"
#include "grader/worker/launch.h"

namespace attn::compile {

class Builds {
  public:
    /// `options`: see build_submission().
    Builds(std::filesystem::path submission, std::vector<rubric::Rubric> rubrics, Installation installation,
           BuildOptions options = {});

    const std::vector<rubric::Rubric>& rubrics() const { return rubrics_; }

    /// The build of an assignment. Waits if another thread is building it. Throws as build_submission() does.
    const Build& of(const rubric::Rubric& rubric);

    /// The same submission, compiled for speed measurements.
    Builds timed() const;

    /// The same submission, compiled to find the lines of failures.
    Builds watched() const;

    /// The same submission, compiled for speed measurements with debug information.
    Builds sampled() const;

    /// The kernels of the same submission, for the emulator.
    Builds of_kernels(Kernels how) const;

    /// The same of another submission.
    Builds of_folder(std::filesystem::path submission) const;

    const std::filesystem::path& folder() const { return submission_; }

    /// Whether the submission has a file of this name.
    bool has(const std::string& file) const;

    /// Reads the files of the submission.
    SourceReader& reader() const { return *options_.reader; }

    /// What the reader found in a file of the submission. Empty if there is no such file.
    SourceFacts facts_of(const std::string& file) const;

    /// Whether the submission has more of this function of a contract than its stub.
    bool is_begun(const std::string& function) const;

    const Installation& installation() const { return installation_; }

    const worker::Layers& layers() const { return options_.layers; }

    /// Uses an existing build for an assignment, instead of building it.
    void adopt(int assignment, std::shared_ptr<const Build> build);

    /// A worker for the functions of an assignment, with the student's libraries of earlier assignments that
    /// it builds on.
    worker::Worker worker_for(const rubric::Rubric& rubric);

    /// A worker for one part. `stand_ins`: earlier functions for which the reference's version replaces the
    /// student's. If they are all the functions that the part may call, no earlier library is loaded.
    worker::Worker worker_for(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                              const std::vector<std::string>& stand_ins);

    /// Those of `functions` that the submission may call in this assignment. A function of another assignment
    /// may be called if a library names it, or if the submission has it and one of its neighbours is named.
    std::vector<std::string> called_among(const rubric::Rubric& rubric,
                                          const std::vector<std::string>& functions);

    /// The libraries that a worker of this assignment opens, in that order: see worker/protocol.h.
    std::vector<std::filesystem::path> libraries_of(const rubric::Rubric& rubric);

    /// The other assignments, by number, whose functions the parts of this one build on or its kernels call,
    /// directly or indirectly.
    std::vector<const rubric::Rubric*> needed_by(const rubric::Rubric& rubric) const;

  private:
    /// Libraries to load before the student's: the emulator (for kernels), and those of other assignments.
    std::vector<std::filesystem::path> preceding_libraries(const rubric::Rubric& rubric);
    const std::filesystem::path& exports() const;
    worker::Worker make_worker(const rubric::Rubric& rubric, std::vector<std::filesystem::path> preceding,
                               bool with_earlier);

    std::filesystem::path submission_;
    std::vector<rubric::Rubric> rubrics_;
    Installation installation_;
    BuildOptions options_;
    struct Slot {
        std::mutex mutex;
        std::shared_ptr<const Build> build;
    };
    std::map<int, Slot> built_;  ///< by number; the constructor makes a slot for each rubric
    /// The assignments whose kernels a .cu file may call, by its assignment's number; only for kernels.
    std::map<int, std::set<const ask::Module*>> kernels_called_by_;
};

}  // namespace attn::compile
