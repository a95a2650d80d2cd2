#pragma once
/// Grades what has no result yet.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/classes/engine/engine.h"
#include "grader/classes/exercise.h"

namespace attn::classes {

/// How far a run is, for people.
struct RunProgress {
    std::string what;  ///< "numbers" or "speed"
    std::size_t ended = 0, all = 0;
    double elapsed_s = 0;
    std::string fails_most;  ///< "softmax.ragged (17 of 40)"; empty if nothing failed yet

    /// "numbers: 40 of 300, about 4 min left; fails most: softmax.ragged (17 of 40)"
    std::string text() const;
};

struct RunSummary {
    std::size_t graded = 0, refused = 0, reused = 0;
    std::vector<Fault> faults;  ///< that were left after all tries
};

class GradingRun {
  public:
    static constexpr int kTries = 3;

    GradingRun(const ClassFolder& folder, Gradebook& gradebook, Exercise& exercise, Engine& engine,
               std::function<void(const RunProgress&)> progress)
        : folder_(folder),
          gradebook_(gradebook),
          exercise_(exercise),
          engine_(engine),
          progress_(std::move(progress)) {}

    /// Grades the numbers of all attempts in parallel, then measures speed, one at a time. Each result is in
    /// the gradebook as soon as its job has ended.
    RunSummary run();

  private:
    using Planned = Exercise::Planned;

    void run_jobs(std::vector<Planned> planned, const std::string& what);
    std::vector<Planned> numbers_to_grade(const std::vector<Attempt>& attempts);
    std::vector<Planned> speed_to_measure(const std::vector<Attempt>& attempts);
    /// Whether the spool had an ending of this job.
    bool take_in(const Planned& planned);
    Result result_of(const Planned& planned, const std::string& json);
    void count_failures(const report::Report& report);

    ClassFolder folder_;
    Gradebook& gradebook_;
    Exercise& exercise_;
    Engine& engine_;
    std::function<void(const RunProgress&)> progress_;
    RunSummary summary_;
    std::map<std::string, int> tries_;  ///< by the name of a job: its faults in this run
    std::map<std::string, std::size_t> failures_;
    std::size_t reports_ = 0;
};

/// What an attempt's results are now.
struct AttemptState {
    std::string numbers, speed;            ///< keys of the results it has
    std::string problem;                   ///< why it has no report: unreadable, refused, or a fault
    bool pending = false;                  ///< it still has to be graded
    std::optional<report::Report> report;  ///< assembled; none if there is a problem or it is pending
};
AttemptState state_of(Gradebook& gradebook, Exercise& exercise, const Attempt& attempt,
                      const std::vector<Fault>& faults);

/// The report of an attempt, from the stored report of its numbers and the stored result of its speed, if it has one.
report::Report report_of(const Attempt& attempt, report::Report numbers, const std::optional<Result>& speed,
                         const Scoring& scoring);

std::string fault_in_words(const Fault& fault);

/// Removes what is left in the spool when all exercises are graded: drafts of jobs that were killed, and
/// endings that no result needs any more.
void clear_spool(const std::filesystem::path& spool);

}  // namespace attn::classes
