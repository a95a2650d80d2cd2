#pragma once
/// Submissions that prove the grader: for each module a right solution (solution.cpp), others of another make
/// (right_NAME.cpp), and edits of the first (edits.toml): slips that make a known mistake, and changes that
/// leave it right. And edits of the reference's kernels (wrong_kernels.toml) that only an emulator of the
/// GPU, or the numbers, can find.

#include <filesystem>
#include <string>
#include <vector>

namespace attn::proof {

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

struct ProofSubmissions {
    std::string solution;
    std::vector<Slip> slips;
    std::vector<Right> rights;
};

/// Reads a module's folder. Throws std::invalid_argument for what cannot be used, data::FileError for a file
/// that cannot be read.
ProofSubmissions read_proof_submissions(const std::filesystem::path& folder);

/// Kernels with a mistake: the text of reference/NAME.cu, edited.
struct WrongKernel {
    std::string name;
    std::string function;  ///< of the contract: the first that suffers
    std::string finding;   ///< what the emulator calls it; "numbers" where nothing but those is wrong
    std::string text;
};

/// Reads a module's wrong_kernels.toml, edits of the text `right`. Throws like read_proof_submissions.
std::vector<WrongKernel> read_wrong_kernels(const std::filesystem::path& folder, const std::string& right);

}  // namespace attn::proof
