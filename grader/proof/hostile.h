#pragma once
/// Hostile submissions, read from the tables of hostile/*.toml: what each attack tries, the outcome that it
/// must have, and a control, in which the defence is taken away and the attack succeeds. Without a control,
/// an attack that does not work at all would look like one that is stopped.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/outcome.h"
#include "grader/sandbox/layers.h"

namespace attn::proof {

/// The defence that is taken away, and the signs that appear then.
struct Control {
    std::vector<worker::Layer> without;
    std::vector<worker::Layer> alone;   ///< those among `without` that stop the attack on their own
    std::optional<std::uint64_t> seed;  ///< the seed of the inputs, if the defence is another seed
    /// Signs that an attack succeeded (see attack_environment.h), or an outcome ("outcome:wrong"), or words
    /// of a message ("says:It changed").
    std::vector<std::string> shows;
};

struct Attack {
    int number = 0;  ///< its kind, 1 to kLastAttackNumber: see README.md
    std::string name;
    std::string tries;                     ///< a verb phrase: "prints a score"
    std::string text;                      ///< the submission, with @PLACEHOLDERS@: see fill_placeholders()
    std::string link;                      ///< if not empty, the submission is a link to this file instead
    Outcome outcome = Outcome::passed;     ///< of the attacked function, self_attention
    std::vector<std::string> says;         ///< words in the message of that check, or of the compiler
    double points = 0;                     ///< the points that the attacked function deserves
    Outcome neighbours = Outcome::passed;  ///< outcome of the other functions, which are right
    std::optional<std::uint64_t> seed;
    std::optional<Control> control;
    std::string no_control;            ///< why there is no control
    std::vector<std::string> remains;  ///< signs that appear in spite of the defence: a known gap
};

inline constexpr int kLastAttackNumber = 43;

/// Reads a folder: the tables, and base.cpp, into which each attack's code is inserted. The attacks are in
/// the order of their numbers. Throws UserError for an invalid table, data::FileError for a file that cannot
/// be read.
std::vector<Attack> read_attacks(const std::filesystem::path& folder);

/// Replaces the placeholders of a text: {"MARK", "x1"} replaces every @MARK@. Throws std::invalid_argument if
/// one is left.
std::string fill_placeholders(std::string text, const std::map<std::string, std::string>& values);

/// All attacks as a Markdown table, one line each.
std::string table_of(const std::vector<Attack>& attacks);

}  // namespace attn::proof
