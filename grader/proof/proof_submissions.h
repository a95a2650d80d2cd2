#pragma once
/// The submissions that prove the grader. Each module has a right solution (solution.cpp), other right
/// solutions (right_NAME.cpp), and arrays of edits in edits.toml (or any other *.toml):
///   slip       edits solution.cpp so that it makes a known mistake
///   right      edits solution.cpp and keeps it right
///   growing    edits solution.cpp so that its time grows faster than allowed
///   kernel     edits the reference's kernels; the emulator or the wrong numbers reveal the mistake
///   too_small  names classes of edits for edit_matrix.h

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "grader/base/installation.h"

namespace attn::proof {

/// A cache of compiled submissions (compile::BuildOptions) in the build's folder. The proofs and the tests share
/// it, because many of them grade the same right solutions.
inline std::filesystem::path build_cache(const Installation& installation) {
    return installation.worker.parent_path() / "test_cache" / "attention_lab";
}

/// Replace `from`, which must occur exactly once, by `to`.
struct Edit {
    std::string from, to;
};

/// Applies edits. Throws std::invalid_argument if a text to replace does not occur exactly once: a test with
/// an edit that does nothing would prove nothing.
std::string edited(std::string text, const std::vector<Edit>& edits);

/// A solution with a known mistake.
struct Slip {
    std::string mistake;             ///< its name among the module's
    std::string part;                ///< the first function that gives wrong results
    std::vector<std::string> alike;  ///< other mistakes that give the same numbers there
    std::string text;
};

/// Another right solution.
struct RightSolution {
    std::string name;
    std::vector<std::string> flags;  ///< additional compiler flags
    std::string text;
};

/// A solution with right numbers whose time grows by one power faster than that of the plain loops.
struct GrowingSolution {
    std::string name;
    std::string function;  ///< the part whose time grows
    std::string text;
};

struct ProofSubmissions {
    std::string solution;
    std::vector<Slip> slips;
    std::vector<RightSolution> rights;
    std::vector<GrowingSolution> growing;
};

/// The files *.toml of a module's folder, by name.
std::vector<std::filesystem::path> proof_files(const std::filesystem::path& folder);

/// Reads a module's folder. Throws std::invalid_argument for an invalid file, data::FileError for a file that
/// cannot be read.
ProofSubmissions read_proof_submissions(const std::filesystem::path& folder);

/// Kernels with a mistake: an edited text of reference/NAME.cu.
struct WrongKernel {
    std::string name;
    std::string function;  ///< the first function of the contract that fails
    std::string finding;   ///< the kind of the emulator's finding; "numbers" if only the numbers are wrong
    std::string text;
};

/// Reads the wrong kernels of a module's folder and applies their edits to the text `right`. Throws like
/// read_proof_submissions.
std::vector<WrongKernel> read_wrong_kernels(const std::filesystem::path& folder, const std::string& right);

/// A class of edits of the plain loops that some inputs notice, but which change so little that the error allowed at
/// most inputs hides them.
struct TooSmall {
    std::regex function;  ///< matches all of the name of the function in which the edit stands
    std::regex edit;      ///< matches a part of what is said of the edit
    std::string place;    ///< file, line and expression
};

/// Reads the rows too_small of a module's folder: each has `function`, `why`, and the expressions `edit`, each of
/// which is a class. Throws like read_proof_submissions.
std::vector<TooSmall> read_too_small(const std::filesystem::path& folder);

}  // namespace attn::proof
