#pragma once
/// The kill matrix of the tests: every systematic edit of the plain loops is a wrong submission, and a check
/// of the rubric has to notice it. An edit that no check notices computes the same (it is equivalent), or the
/// rubric has a hole.

#include <cstdint>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/sample.h"
#include "grader/rubric/rubric.h"

namespace attn::proof {

/// A class of edits that no check can notice, and why: they compute the same as the plain loops, or nearly.
struct Equivalent {
    std::regex function;  ///< matches all of the name of the function in which the edit stands
    std::regex edit;      ///< matches a part of what is said of the edit
    std::string why;
    std::string place;  ///< file, line and expression
    /// Some inputs notice the edit, but it changes so little that the error allowed at most inputs hides it.
    bool too_small = false;
};

/// The classes in a file such as grader/proof/equivalent.toml: tables [[equivalent]] and [[too_small]]. `edit`
/// is one expression or an array of them, each of which is a class. Throws std::invalid_argument with the line
/// if a table has no function, edit or reason, or if an expression is not valid.
std::vector<Equivalent> read_equivalents(const std::filesystem::path& file);

/// The classes of any assignment, in grader/proof/equivalent.toml.
std::vector<Equivalent> common_equivalents(const Installation& installation);
/// The classes of one assignment, in the files *.toml in the proof/ of its module.
std::vector<Equivalent> equivalents_of(const Installation& installation, const std::string& module);

/// An edit that no check notices.
struct Survivor {
    std::string function, equation, said, becomes;
    /// Inputs outside of the rubric at which the edit is wrong: "scores near +-1000, N=2 D=3". Then it is a
    /// hole, unless it is too small. Empty if none were found in many tries.
    std::string witness;
    std::string reason;  ///< the place of the class that says why no check notices it; empty: not known
};

/// The edits of one part's function and of the helpers that only its file knows.
struct EditMatrix {
    std::string function;
    int edits = 0;
    int stopped = 0;                      ///< leave their arrays, or do not end: a crash
    std::vector<int> killed_by_case;      ///< by each case first, the case with the fewest numbers first
    std::vector<std::string> case_names;  ///< in the same order
    int killed_by_property = 0;           ///< by a property only
    int killed_elsewhere = 0;  ///< an edit of a helper, by the cases of another part of the assignment only
    std::vector<Survivor> survivors;

    int killed() const;
    int too_small() const;    ///< survivors with a witness and a reason
    int holes() const;        ///< survivors with a witness and without a reason
    int unexplained() const;  ///< survivors without either
};

/// Runs the edits that the sample draws through the cases and the properties of a part. For a survivor, looks
/// for inputs of the module's other recipes, sizes and options at which it is wrong.
EditMatrix edit_matrix(const rubric::Rubric& rubric, const rubric::PartRubric& part, std::uint64_t seed,
                       const Sample& sample, std::span<const Equivalent> equivalents);

/// The same for all parts of an assignment, or for `function` alone, with its classes and the common ones.
/// Reports the name of each function as it begins.
std::vector<EditMatrix> edit_matrices(const Installation& installation, const rubric::Rubric& rubric,
                                      std::uint64_t seed, const Sample& sample,
                                      const std::function<void(const std::string&)>& begins,
                                      const std::string& function = {});

/// The places of the classes that cover no survivor of these matrices, so that their reason explains nothing.
std::vector<std::string> without_survivor(std::span<const Equivalent> equivalents,
                                          std::span<const EditMatrix> matrices);

}  // namespace attn::proof
