#pragma once
/// An engine runs jobs: on this machine, or on a cluster. It never opens the gradebook. Jobs leave their
/// endings in the spool, CLASS/spool, and the process that holds the lock of the class takes them in.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attn::classes {

/// One run of `grader grade` whose result goes into the gradebook. Nothing in a job names a person.
struct Job {
    std::string name;  ///< letters, digits and '-'; the files in the spool are called after it
    std::filesystem::path submission;  ///< the folder of an attempt, absolute: CLASS/attempts/12
    int assignment = 0;
    std::string course;               ///< see rubric::read_course
    std::vector<std::string> parts;   ///< the functions to grade; empty: all
    bool speed = false;               ///< also measures speed, so nothing else may run on the machine
    std::filesystem::path seed_file;  ///< absolute; empty: the public seed
    double limit_s = 3600;            ///< a job that runs longer is a fault of the grader
};

/// How a job ended. Each ending is one file in the spool, which appears complete.
enum class Ending {
    graded,   ///< NAME.json: the whole report
    refused,  ///< NAME.refused: a sentence that says why the submission cannot be graded (exit code 2)
    fault,    ///< NAME.fault: a sentence that says what went wrong (exit code 3, a signal, the limit of time)
};

/// The file that holds this ending of a job.
std::filesystem::path ending_file(const std::filesystem::path& spool, const std::string& name, Ending ending);

/// The arguments of `grader` for a job, which write the report to `report`.
std::vector<std::string> grader_words(const Job& job, const std::filesystem::path& report);

/// A job as a file, for a machine that only shares a folder with this one.
std::string job_text(const Job& job);
/// Throws UserError if the text is not from job_text().
Job read_job(const std::string& text);

/// Runs a job on this machine, with the program `grader`, and writes its ending to the spool. Writes no
/// ending if it is interrupted: then the job has not been run. `grader-class work SPOOL JOB.job` does the
/// same on another machine.
Ending run_job(const Job& job, const std::filesystem::path& spool, const std::filesystem::path& grader);

class Engine {
  public:
    virtual ~Engine() = default;

    /// Runs all jobs and returns when each has an ending in the spool. Calls `ended` in the caller's thread
    /// once for each job, soon after its ending has appeared. Either no job of a call measures speed, and
    /// they run in parallel, or all of them do: then each has a machine for itself. A job that the engine
    /// loses (a node that dies) is started again by the engine, or ends as a fault. Throws Interrupted when
    /// the user ends the program; jobs without an ending are run again by the next start.
    virtual void run(const std::vector<Job>& jobs, const std::function<void(const Job& job)>& ended) = 0;
};

/// Runs jobs on this machine, at most `at_once` at a time; those that measure speed one after the other.
std::unique_ptr<Engine> local_engine(const std::filesystem::path& spool, const std::filesystem::path& grader,
                                     int at_once);

}  // namespace attn::classes
