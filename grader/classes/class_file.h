#pragma once
/// class.toml: the rules of a class. The instructor edits this file. An error message about it names file and
/// line, what was found and what was expected.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/records.h"
#include "grader/classes/slurm/slurm.h"

namespace attn::classes {

/// More time for one person, with the reason, which is shown beside their mark.
struct Extension {
    std::string who;  ///< key, e-mail, login or name
    Moment until = 0;
    std::string reason;
};

enum class Counts { latest, best };

struct ExerciseRules {
    int assignment = 0;
    std::optional<Moment> due;  ///< none: nothing is late
    double grace_minutes = 0;   ///< until then a delivery is not late; after it, days count from `due`
    double percent_a_day = 0;   ///< of the points, taken off for each day that has begun
    int most_days = 0;          ///< later deliveries get no points; 0: there is no such limit
    Counts counts = Counts::latest;
    std::vector<Extension> extensions;
};

struct ClassRules {
    std::string title;
    std::filesystem::path seed_file;  ///< absolute; empty: the public seed
    std::string course;               ///< see rubric::read_course; empty: as the grader has it
    bool speed = false;
    std::vector<ExerciseRules> exercises;
    ClusterRules cluster;  ///< for --engine slurm

    /// Throws UserError if the class does not have it.
    const ExerciseRules& exercise(int assignment) const;
};

/// Reads FOLDER/class.toml. Its `zone` becomes the course's (see use_course_zone()), because times in the file may have
/// none.
ClassRules read_class_file(const std::filesystem::path& folder);

/// What `grader class init` writes: a class.toml to edit, with one exercise for each of these assignments, and the
/// course's zone.
std::string new_class_file(const std::string& title, const std::vector<int>& assignments,
                           const std::optional<Moment>& due, bool secret_seed);

}  // namespace attn::classes
