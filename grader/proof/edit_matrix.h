#pragma once
/// The kill matrix of the tests: every systematic edit of the plain loops is a wrong submission, and a check
/// of the rubric has to notice it. An edit that no check notices computes the same (it is equivalent), or the
/// rubric has a hole.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/proof/sample.h"
#include "grader/rubric/rubric.h"

namespace attn::proof {

/// A class of edits that compute the same as the plain loops, and why.
struct Equivalent {
    std::string function;  ///< in which the edit stands; "*": any
    std::string edit;      ///< a part of what is said of the edit
    std::string why;
};

/// The classes in a file such as grader/proof/equivalent.toml. Throws std::invalid_argument with the line if
/// one has no function, edit or reason.
std::vector<Equivalent> read_equivalents(const std::filesystem::path& file);

/// An edit that no check notices.
struct Survivor {
    std::string function, equation, said, becomes;
    /// Inputs outside of the rubric at which the edit is wrong: "scores near +-1000, N=2 D=3". Then it is a hole.
    /// Empty if none were found in many tries.
    std::string witness;
    const Equivalent* equivalent = nullptr;  ///< the reason why there is none; null: not known
};

/// The edits of one part's function and of the helpers that only its file knows.
struct EditMatrix {
    std::string function;
    int edits = 0;
    int stopped = 0;                      ///< leave their arrays, or do not end: a crash
    std::vector<int> killed_by_case;      ///< by each case first, the case with the fewest numbers first
    std::vector<std::string> case_names;  ///< in the same order
    int killed_by_property = 0;           ///< by a property only
    std::vector<Survivor> survivors;

    int killed() const;
    int holes() const;        ///< survivors with a witness
    int unexplained() const;  ///< survivors without a witness and without a reason
};

/// Runs the edits that the sample draws through the cases and the properties of a part. For a survivor, looks
/// for inputs of the module's other recipes, sizes and options at which it is wrong.
EditMatrix edit_matrix(const submission::Rubric& rubric, const submission::PartRubric& part,
                       std::uint64_t seed, const Sample& sample, const std::vector<Equivalent>& equivalents);

}  // namespace attn::proof
