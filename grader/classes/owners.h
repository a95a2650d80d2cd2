#pragma once
/// Which students of a class the people of a roster or a download are.

#include <optional>
#include <string>
#include <vector>

#include "grader/classes/gradebook/gradebook.h"
#include "grader/classes/roster/match.h"

namespace attn::classes {

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
