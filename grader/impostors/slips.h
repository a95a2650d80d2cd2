#pragma once
/// Submissions that prove the grader: for each module a right solution (solution.cpp), others of another make
/// (right_NAME.cpp), and edits of the first (edits.toml): slips that make a known mistake, and changes that
/// leave it right.

#include <filesystem>
#include <string>
#include <vector>

namespace attn::impostors {

/// Replace `from`, which stands exactly once, by `to`.
struct Edit {
    std::string from, to;
};

/// Throws std::invalid_argument where a text to replace does not stand there exactly once: an edit that does
/// nothing would make a test that proves nothing.
std::string edited(std::string text, const std::vector<Edit>& edits);

/// A mistake, made in a student's text.
struct Slip {
    std::string mistake;             ///< its name among the module's
    std::string part;                ///< the first function that suffers
    std::vector<std::string> alike;  ///< mistakes with the same numbers there
    std::string text;
};

/// Another right solution.
struct Right {
    std::string name;
    std::vector<std::string> flags;  ///< for the compiler
    std::string text;
};

struct Impostors {
    std::string solution;
    std::vector<Slip> slips;
    std::vector<Right> rights;
};

/// Reads a module's folder. Throws std::invalid_argument for what cannot be used, data::FileError for a file
/// that cannot be read.
Impostors read_impostors(const std::filesystem::path& folder);

}  // namespace attn::impostors
