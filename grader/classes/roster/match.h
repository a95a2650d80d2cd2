#pragma once
/// Finds the people of a download on the roster.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

/// The person on the roster, or why there is none.
struct RosterMatch {
    std::optional<std::size_t> row;  ///< index into the roster
    std::string note;                ///< a sentence for the instructor; empty if all is well
};

/// Looks people up by the platform's id, then by e-mail address, login, and last by a name that one person
/// only has. An id counts only where the names, if both sides have one, share a word: platforms' numbers may
/// be equal by chance (Moodle's participants are numbered for each exercise).
class RosterIndex {
  public:
    explicit RosterIndex(std::vector<Person> roster);

    RosterMatch find(const Person& person) const;

    /// The person as the roster has them, with what only the download knows added. Without a match, the
    /// person.
    Person completed(const Person& person, const RosterMatch& match) const;

    const std::vector<Person>& roster() const { return roster_; }

  private:
    std::vector<std::size_t> rows_with(bool (*same)(const Person&, const Person&),
                                       const Person& person) const;

    std::vector<Person> roster_;
    struct Spelling {
        std::string words, letters, letters_turned;
    };
    std::vector<Spelling> spellings_;  ///< of the roster's names
};

}  // namespace attn::classes
