#pragma once
/// Rosters of the course platforms, as CSV.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

struct Roster {
    std::string platform;  ///< "moodle", "canvas", "gradescope", "autolab", "github" or "plain"
    std::vector<Person> people;
    std::vector<std::size_t> rows;   ///< of each person, their row in the table
    std::vector<std::string> notes;  ///< rows that were left out, what was guessed; a sentence each
};

/// Reads a roster:
///   Moodle       a grading worksheet (Identifier, Full name, ..), or the list of participants
///   Canvas       an exported gradebook (Student, ID, .., Section, ..)
///   Gradescope   First Name, Last Name, SID, Email, Sections
///   Autolab      its roster, with or without a header
///   GitHub       identifier, github_username, .., or Classroom 50's list
///   others       a header with some of name, first name, last name, email, id, login, section
/// Encodings and separators: see csv_table.h. Names of columns in other languages are recognised by what the
/// cells contain, where that is possible. A row that names nobody, the same person again, somebody whose role is that of
/// an instructor, or Canvas' Test Student, is left out with a note; two people with one name stay two people. Throws UserError if the file cannot be read or has no
/// column of people.
Roster read_roster(const std::filesystem::path& csv);

}  // namespace attn::classes
