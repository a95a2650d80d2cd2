#pragma once
/// What the parts of `grader class` exchange, as plain values: the readers of downloads fill `HandIn`, the gradebook keeps
/// attempts and results, and the pages, the exports and the feedback read a `ClassView`.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace attn::classes {

/// Seconds since 1970 in UTC.
using Moment = std::int64_t;

/// A person as a roster or a download names them. Fields that the source does not have are empty.
struct Person {
    std::string
        key;  ///< the platform's id: Moodle's participant, Canvas' user id, Gradescope's sid, a GitHub name
    std::string name, email, login, section;
};

/// What says when something was handed in, the weakest first. A stronger one replaces a weaker one.
enum class TimeSource {
    unknown,   ///< nothing does
    files,     ///< the newest time of its files, which a student can set
    commit,    ///< the time of the last commit, which a student can set
    table,     ///< a table that the teacher gave
    platform,  ///< the platform's own record
    person     ///< a person who corrected it
};

/// When an attempt was handed in, and what says so.
struct HandInTime {
    Moment when = 0;  ///< if nothing says it: when it was taken in
    TimeSource by = TimeSource::platform;
    bool marked_late = false;  ///< whether the platform calls it late
    std::string reason = {};   ///< of the person who corrected it
};

/// One delivery of one student, or of a group, as it was found in a download.
struct HandIn {
    std::vector<Person> people;  ///< more than one for a group
    std::optional<Moment> when;  ///< none: not known
    TimeSource when_by = TimeSource::unknown;
    std::filesystem::path
        files;                 ///< a folder or an archive that `grader grade` takes; empty if there is none
    std::string label;         ///< the name in the download; feedback goes back under it
    std::string problem;       ///< why it cannot be graded, as a sentence; empty if it can
    bool marked_late = false;  ///< whether the platform calls it late
};

/// What was found in a download.
struct Download {
    std::string platform;  ///< "moodle", "canvas", "gradescope", "autolab", "github", "folder"
    std::vector<HandIn> hand_ins;
    std::vector<std::string> notes;  ///< what was left out, and why, a sentence each
    std::string time_note;           ///< that times are missing, and how to give them; empty if there are all
};

/// How the points of an exercise became its mark, as one computation that a student can follow.
struct Mark {
    double raw = 0, out_of = 0;  ///< the points of the attempt that counts
    double days_late = 0;        ///< after grace and extension
    double penalty = 0;          ///< points taken off for it
    double final = 0;            ///< raw - penalty, or what a person decided instead
    std::string explanation;     ///< "71.5 of 100, 2 days late: 10 % a day, 14.3 off, 57.2"
    bool overridden = false, held = false;
};

/// What an attempt earned with one function.
struct FunctionPoints {
    std::string function;
    double points = 0, max_points = 0;
};

struct AttemptView {
    int number = 0;       ///< 1 for the student's first
    Moment when = 0;      ///< if it is not known: when it was taken in
    bool counts = false;  ///< whether the mark is made from this one
    std::string problem;  ///< why there is no report: an unreadable archive, or a fault of the grader
    std::optional<report::Report> report;
    bool graded = false;  ///< whether there are results, also where `report` was not asked for
    bool fault = false;   ///< whether `problem` is a fault of the grader, which students are not told
    std::filesystem::path files = {};  ///< its folder, relative to the class's; empty: not known
    TimeSource when_by = TimeSource::platform;
};

struct StudentView {
    Person person;
    std::string pseudonym;  ///< "quiet-otter": the same in every export, not derived from the name
    std::string label;      ///< of the attempt that counts: see HandIn
    std::string platform, platform_id;  ///< of its download, and what that calls the student: see Person::key
    bool on_roster = true;
    std::vector<AttemptView> attempts;      ///< in the order of their times
    std::optional<Mark> mark;               ///< none: nothing was handed in, or nothing could be graded
    std::vector<FunctionPoints> functions;  ///< of the attempt that counts, before lateness
};

/// Everything about one exercise of a class that pages and exports show.
struct ClassView {
    std::string title;  ///< of the class and the exercise
    Moment made_at = 0;
    std::optional<Moment> due;
    bool names = false;  ///< whether names may be shown; otherwise the pseudonyms
    std::vector<StudentView> students;
};

}  // namespace attn::classes
