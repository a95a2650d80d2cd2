#pragma once
/// The libraries of a submission, one for each assignment, each built when it is first needed: later parts
/// may call functions of earlier assignments.

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grader/submission/build.h"
#include "grader/worker/launch.h"

namespace attn::submission {

class Builds {
  public:
    /// Whether a worker is given the student's libraries of the assignments that this one builds on.
    enum class Earlier { loaded, left_out };

    /// `extra`: see build().
    Builds(std::filesystem::path submission, std::vector<Rubric> rubrics, Installation installation,
           Extra extra = {});

    const std::vector<Rubric>& rubrics() const { return rubrics_; }

    /// Throws as build() does.
    const Build& of(const Rubric& rubric);

    /// Takes what is built already for an assignment.
    void adopt(int assignment, std::shared_ptr<const Build> build);

    /// A worker for an assignment's functions. `stand_ins`: earlier functions, on which the reference's
    /// version takes the place of the student's.
    worker::Worker worker_for(const Rubric& rubric, const std::vector<std::string>& stand_ins = {},
                              Earlier earlier = Earlier::loaded);

    /// The other assignments whose functions this one's parts build on, directly or not, by number.
    std::vector<const Rubric*> needed_by(const Rubric& rubric) const;

  private:
    std::filesystem::path submission_;
    std::vector<Rubric> rubrics_;
    Installation installation_;
    Extra extra_;
    std::map<int, std::shared_ptr<const Build>> built_;  ///< by number
};

}  // namespace attn::submission
