#pragma once
/// The keys of results. A result is used again exactly if everything that it was made of is the same: the
/// submission's files, what the rubric says about running it (not its points), the secret cases, the seed,
/// and the grader.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/installation.h"
#include "grader/rubric/rubric.h"

namespace attn::classes {

/// The SHA-256 of a list of texts, as 64 hexadecimal digits. The lengths count, so that {"ab", "c"} and {"a",
/// "bc"} differ.
std::string digest(const std::vector<std::string>& texts);

/// The digest of the names and contents of all files below a folder. `leave_out`: names of files that do not
/// count.
std::string digest_of_files(const std::filesystem::path& folder,
                            const std::vector<std::string>& leave_out = {});

/// The sources of other assignments, which this assignment neither compiles nor calls.
std::vector<std::string> unused_sources(const rubric::Rubric& rubric, const std::vector<rubric::Rubric>& all,
                                        const Installation& installation);

/// What a rubric says about running an assignment. Points, titles, steps and reasons do not count, and
/// neither do comments and the order of keys.
struct RubricDigests {
    std::string common;                        ///< limits and everything else that all parts share
    std::map<std::string, std::string> parts;  ///< by function: cases, properties, kernels
    std::map<std::string, std::string> speed;  ///< by function, for parts whose speed or growth is measured
};

/// Of FOLDER/rubric.toml and, if the seed is secret, FOLDER/secret.toml.
RubricDigests digests_of_rubric(const std::filesystem::path& folder, bool secret);

/// The grader's programs and libraries, the contract's headers, and the compiler.
std::string digest_of_grader(const Installation& installation, const std::filesystem::path& grader,
                             const rubric::Rubric& rubric);

}  // namespace attn::classes
