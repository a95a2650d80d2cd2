#pragma once
/// Takes rosters and downloads into a class.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/class_folder.h"
#include "grader/classes/gradebook/gradebook.h"
#include "grader/classes/roster/match.h"

namespace attn::classes {

struct TakenIn {
    std::string platform;
    std::size_t all = 0, added = 0, unreadable = 0;
    std::vector<std::string> notes;
    std::string time_note;  ///< that times are missing, and how to give them; empty if there are all
};

/// Adds the people of a roster. Those who are known already get the fields that were empty.
TakenIn take_in_roster(Gradebook& gradebook, const std::filesystem::path& roster_file);

/// Adds the hand-ins of `given`, a download, as attempts at an exercise. A hand-in with the same people and files as an
/// attempt is that attempt, unless the platform has another time for it. People who are not on the roster become
/// students who are not on it, with a note. Each attempt is there completely or not at all.
TakenIn take_in_download(const ClassFolder& folder, Gradebook& gradebook, int exercise,
                         const std::filesystem::path& given, const std::optional<std::string>& platform);

/// Makes a new attempt of the files that `given` has, a folder, an archive or a source, in the place of one that could
/// not be graded, with its time, its people and a note. The files of the earlier one stay.
Attempt replace_files(const ClassFolder& folder, Gradebook& gradebook, const Attempt& broken,
                      const std::filesystem::path& given, const std::string& note);

/// Where people come from.
struct OwnerSource {
    bool roster = false;   ///< or a download
    std::string platform;  ///< "moodle", ..
    int exercise = 0;      ///< of a download
    bool of_class = true;  ///< whether those who are new are on the roster
};

struct Owner {
    std::optional<Id> student;  ///< nothing if it cannot be told who it is
    std::string note;  ///< why not, or how they were found, or that they are new; empty if all is well
};

/// The student that each person is (see settle_claims). Those who are new become students, and what is new about others
/// is added. People of a download who are equal in everything are one person; those of a roster are not.
std::vector<Owner> owners_of(Gradebook& gradebook, const OwnerSource& source,
                             const std::vector<Claimant>& people);

}  // namespace attn::classes
