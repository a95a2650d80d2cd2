#pragma once
/// The libraries of a submission, one for each assignment, each built when it is first needed: later parts
/// may call functions of earlier assignments. Several threads may ask at once.

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/worker/launch.h"

namespace attn::submission {

class Builds {
  public:
    /// `extra`: see build().
    Builds(std::filesystem::path submission, std::vector<Rubric> rubrics, Installation installation,
           Extra extra = {});

    const std::vector<Rubric>& rubrics() const { return rubrics_; }

    /// Throws as build() does. Who asks for what another thread is building waits for it.
    const Build& of(const Rubric& rubric);

    /// The same submission, compiled for the clock.
    Builds timed() const;

    /// The same submission's kernels, for the emulator.
    Builds of_kernels(Kernels how) const;

    /// Whether the submission has a file of this name.
    bool has(const std::string& file) const;

    const Installation& installation() const { return installation_; }

    const worker::Layers& layers() const { return extra_.layers; }

    /// Takes what is built already for an assignment.
    void adopt(int assignment, std::shared_ptr<const Build> build);

    /// A worker for an assignment's functions, with the student's libraries of what it builds on.
    worker::Worker worker_for(const Rubric& rubric);

    /// A worker for one part. `stand_ins`: earlier functions, of which the reference's version takes the
    /// place of the student's; where these are all that the part builds on, no earlier library is loaded.
    worker::Worker worker_for(const Rubric& rubric, const PartRubric& part,
                              const std::vector<std::string>& stand_ins);

    /// The libraries that a worker of an assignment's has open, in that order: see worker/protocol.h.
    std::vector<std::filesystem::path> libraries_of(const Rubric& rubric);

    /// The other assignments whose functions this one's parts build on, or its kernels call, directly or not,
    /// by number.
    std::vector<const Rubric*> needed_by(const Rubric& rubric) const;

  private:
    bool kernels_call(const Rubric& caller, const Rubric& called) const;
    /// Libraries ahead of the student's own: the emulator of kernels, and those of other assignments.
    std::vector<std::filesystem::path> libraries_ahead(const Rubric& rubric);
    std::filesystem::path exports_of(const Rubric& rubric) const;
    worker::Worker make_worker(const Rubric& rubric, std::vector<std::filesystem::path> before,
                               bool with_earlier);

    std::filesystem::path submission_;
    std::vector<Rubric> rubrics_;
    Installation installation_;
    Extra extra_;
    struct Slot {
        std::mutex turn;
        std::shared_ptr<const Build> build;
    };
    std::map<int, Slot> built_;  ///< by number: one for each rubric from the start
};

}  // namespace attn::submission
