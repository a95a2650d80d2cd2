#pragma once
/// Finds people on a roster: those of a download, of another roster, or of a platform's table of grades.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

/// What a person shares with the roster's row that they are taken for, the weakest first.
enum class FoundBy { nothing, ending, name, identity };

/// A person who may be on the roster.
struct Claimant {
    Person person;
    std::string label;  ///< for messages
};

/// Whom a claimant is taken for.
struct Claim {
    std::optional<std::size_t> row;  ///< index into the roster
    FoundBy by = FoundBy::nothing;
    bool unclear = false;  ///< a person of the roster, but `note` says why it cannot be told which one
    std::string note;      ///< a sentence for the instructor; empty if all is well
};

struct ClaimRules {
    bool endings = false;  ///< "hw2-ann" may be the login "ann"
    /// The claimants are the rows of another roster: a different e-mail address is another person, and people of one name
    /// who cannot be told apart are new where there are more of them than on the roster.
    bool of_roster = false;
};

/// Settles all claims to the people of a roster together, so that their order does not matter and no row is given twice:
///   1. by e-mail address, by the platform's id, or by the login. A login that was guessed ("ann" of "hw2-ann") has to be
///      confirmed by a second person with the same beginning. An id counts only where the names, if both sides
///      have one, agree: platforms' numbers may be equal by chance (Moodle numbers participants for each exercise).
///      Two such claims to one row are both unclear.
///   2. by name, of the rows that are left. People of one name are given out in their order if nothing tells the
///      rows apart, and are unclear otherwise.
///   3. by an ending that is a login, if the rules allow it, of the rows that are left.
/// The claimants have to be different people.
std::vector<Claim> settle_claims(const std::vector<Person>& roster, const std::vector<Claimant>& claimants,
                                 const ClaimRules& rules = {});

/// Whether two names may be one person's: each word of the shorter one is in the other. Names without spaces, as
/// Canvas writes them into names of files, have to contain the words.
bool names_agree(const std::string& one, const std::string& other);

/// `known` with what only `person` says added.
Person completed(Person known, const Person& person);

}  // namespace attn::classes
