#pragma once
/// Hostile submissions, a table of hostile/*.toml: what each tries, what has to come of it, and a control, in
/// which the defence is taken away and the attack succeeds. Without a control an attack that nobody stops
/// would look like one that was stopped.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/outcome.h"
#include "grader/sandbox/layers.h"

namespace attn::proof {

/// The defence taken away, and what is seen then that is not seen otherwise.
struct Control {
    std::vector<worker::Layer> without;
    std::vector<worker::Layer> alone;   ///< those of them of which each alone is enough, too
    std::optional<std::uint64_t> seed;  ///< of the inputs, where the defence is that they are others
    /// Signs that an attack succeeded (see arena.h), or "outcome:wrong": what the report says then.
    std::vector<std::string> shows;
};

struct Attack {
    int number = 0;  ///< 1 to 43, of kKinds
    std::string name;
    std::string tries;                     ///< completes "It .."
    std::string text;                      ///< the submission, with @PLACES@ that the arena fills in
    std::string link;                      ///< the submission is a link to this instead
    Outcome outcome = Outcome::passed;     ///< of the attacked function, self_attention
    std::vector<std::string> says;         ///< stands in the message of that check, or of the compiler
    double points = 0;                     ///< that the attacked function deserves
    Outcome neighbours = Outcome::passed;  ///< of the other functions, which are right
    std::optional<std::uint64_t> seed;
    std::optional<Control> control;
    std::string no_control;            ///< why there is none
    std::vector<std::string> remains;  ///< signs that it shows even so: a gap that is known
};

/// What the numbers stand for.
inline constexpr int kKinds = 43;

/// Reads a folder: base.cpp, into which every attack is written, and the tables, in the order of the numbers.
/// Throws UserError for what cannot be used, data::FileError for a file that cannot be read.
std::vector<Attack> read_attacks(const std::filesystem::path& folder);

/// The places of a text filled in: {"MARK", "x1"} replaces every @MARK@. Throws std::invalid_argument where
/// one is left.
std::string filled(std::string text, const std::map<std::string, std::string>& places);

/// All attacks in Markdown, a line each.
std::string table_of(const std::vector<Attack>& attacks);

}  // namespace attn::proof
