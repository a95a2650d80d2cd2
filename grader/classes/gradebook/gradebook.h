#pragma once
/// What the gradebook of a class holds, as values. Every function is one transaction or part of the caller's.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/gradebook/database.h"
#include "grader/classes/records.h"

namespace attn::classes {

using Id = std::int64_t;

struct Student {
    Id id = 0;
    Person person;
    std::string pseudonym;
    bool on_roster = true;
};

struct Attempt {
    Id number = 0;
    int exercise = 0;
    HandInTime time;
    std::optional<Moment> download_time;  ///< as the download said; none if it had no time of its own
    std::string label, platform;
    std::string content;             ///< the digest of its files; empty if it cannot be read
    std::string problem;             ///< why it cannot be read; empty if it can
    std::vector<std::string> notes;  ///< what was left out when it was taken in
    std::vector<Id> students;        ///< more than one for a group
    std::map<Id, std::string> ids;  ///< what the platform calls each of them in the download; see Person::key
    std::optional<Id> replaces;     ///< the attempt whose files a person replaced with these
};

enum class ResultKind { numbers, speed };

/// What grading found. Either `refused` says why nothing was graded, or `report` holds a packed report.
struct Result {
    std::string key;
    int exercise = 0;
    ResultKind kind = ResultKind::numbers;
    std::string content, common;
    std::map<std::string, std::string> parts;  ///< the digest of each part
    std::optional<std::string> refused;
    std::string report;
    double seconds = 0;
};

/// A grader that graded an exercise.
struct GraderUse {
    std::string version;  ///< see version_line()
    std::string digest;   ///< of its programs, libraries and compiler: see digest_of_grader()
    friend bool operator==(const GraderUse&, const GraderUse&) = default;
};

struct Fault {
    std::string key;
    Id attempt = 0;
    int tries = 0;
    std::string text;
};

/// A decision of a person about one student's mark.
struct Decision {
    Id student = 0;
    std::optional<double> points;  ///< of an override; none withdraws it
    bool held = false;             ///< of a hold
    std::string reason, author;
    Moment at = 0;
};

/// A decision of a person about when an attempt was handed in.
struct TimeCorrection {
    Id attempt = 0;
    std::optional<Moment> when;  ///< none withdraws the one before
    std::string reason, author;
    Moment at = 0;
};

/// The marks of an exercise at one time.
struct Version {
    Id id = 0;
    int exercise = 0;
    Moment made = 0;
    std::optional<Moment> published;
    std::string rubric, secret_cases;  ///< the texts of rubric.toml and secret.toml
    bool secret = false, speed = false;
    struct AttemptResults {
        std::string numbers, speed;  ///< keys of results; empty if there is none
        auto operator<=>(const AttemptResults&) const = default;
    };
    std::map<Id, AttemptResults> attempts;
    struct StudentMark {
        std::optional<Id> attempt;  ///< the one that counts
        Mark mark;
    };
    std::map<Id, StudentMark> marks;  ///< by student
};

class Gradebook {
  public:
    explicit Gradebook(Database database) : database_(std::move(database)) {}

    Database& database() { return database_; }

    std::vector<Student> students();
    /// Adds a student and gives them a pseudonym.
    Id add_student(const Person& person, bool on_roster);
    /// Fills in the fields that were empty, or puts the student on the roster.
    void update_student(const Student& student);

    /// The attempts that are not replaced, in the order of their times. One whose time is not known comes after those
    /// of its students that were taken in before it.
    std::vector<Attempt> attempts(std::optional<int> exercise = {});
    /// With those that are replaced, in the order in which they were taken in.
    std::vector<Attempt> all_attempts(std::optional<int> exercise = {});
    /// The number for a new attempt. Its files are laid there first, and add_attempt() makes it one.
    Id next_attempt();
    void add_attempt(const Attempt& attempt, Moment now);
    /// Forgets attempts of which it could not be told whose they are, now that the same label has an owner.
    void forget_ownerless(const Attempt& attempt);
    /// What says when an attempt was handed in, in place of what said so before.
    void set_time(Id attempt, Moment when, TimeSource by);
    void set_marked_late(Id attempt, bool marked_late);
    /// Gives one attempt the time of another, and its corrections.
    void copy_time(Id from, Id to);
    std::vector<TimeCorrection> time_corrections(int exercise);  ///< all of them, the oldest first
    void add_time_correction(const TimeCorrection& correction);

    std::optional<Result> result(const std::string& key);
    bool has_result(const std::string& key);
    /// The last result for the same files with the same digest of what all parts share.
    std::optional<Result> similar_result(const Result& wanted);
    /// Stores a result and forgets the fault of its key, unless it is there already.
    void add_result(const Result& result, Moment now);

    /// Whether there is a result for the same files under any key.
    bool has_result_of_content(const Result& wanted);

    /// The grader that graded an exercise last. None: nothing is graded, or a grader did it that did not record it.
    std::optional<GraderUse> last_grader(int exercise);
    void add_grader(int exercise, const GraderUse& grader, Moment now);

    std::vector<Fault> faults();
    void add_fault(const Fault& fault, Moment now);
    /// Forgets the faults of an exercise, because all that is missing is tried again.
    void forget_faults(int exercise);

    std::vector<Decision> overrides(int exercise);  ///< all of them, the oldest first
    void add_override(int exercise, const Decision& decision);
    std::vector<Decision> holds(int exercise);
    void add_hold(int exercise, const Decision& decision);

    /// The last version of an exercise, or the last one that was published. None: there is none.
    std::optional<Version> last_version(int exercise, bool published);
    Id add_version(const Version& version);
    void publish(Id version, Moment now);

  private:
    Database database_;
};

}  // namespace attn::classes
