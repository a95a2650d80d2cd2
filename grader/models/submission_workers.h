#pragma once
/// Calls of a submission's functions in sandboxed workers.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/compile/builds.h"
#include "grader/intake/intake.h"
#include "grader/judge/student.h"

namespace attn::trained {

/// What a training allows a student's functions. It makes thousands of calls in one process, at the end with all
/// held-out data, and no mark depends on it.
struct TrainingLimits {
    double call_s = 120;
    int process_s = 24 * 3600;  ///< of processor time
};

/// All rubrics, with these limits in place of their own.
std::vector<rubric::Rubric> rubrics_for_training(const TrainingLimits& limits = {});

/// A submission's functions. If a function builds on earlier ones that are not written yet, the reference's
/// versions of those stand in.
class SubmissionWorkers {
  public:
    /// How the submission is compiled: with checks of every access to a view, or for speed.
    enum class Compiled { with_checks, for_speed };

    /// Takes in a folder or archive. Throws UserError if it cannot be read.
    SubmissionWorkers(const std::filesystem::path& submission, std::vector<rubric::Rubric> rubrics,
                      Compiled how = Compiled::with_checks);
    ~SubmissionWorkers();

    /// Makes a call. A source that does not compile is an outcome, too.
    worker::CallResult operator()(const ask::Function& function, const Arrays& inputs,
                                  const std::vector<std::string>& wanted, worker::Placement placement);

    /// The assignment that this function belongs to; 0 if the course of a kit has no such assignment.
    int assignment_of(const std::string& function) const;

    const std::vector<rubric::Rubric>& rubrics() const { return rubrics_; }

  private:
    struct Found {
        const rubric::Rubric* rubric;
        const rubric::PartRubric* part;
    };
    std::optional<Found> search(const std::string& function) const;
    Found find(const std::string& function) const;
    /// Whether the function writes an output, tried with a small example.
    bool is_written(const std::string& name);
    worker::Worker& worker_for(const std::string& function);

    std::vector<rubric::Rubric> rubrics_;
    intake::Intake intake_;
    compile::Builds builds_;
    std::map<std::string, bool> written_;
    std::map<std::string, std::unique_ptr<worker::Worker>> workers_;
};

}  // namespace attn::trained
