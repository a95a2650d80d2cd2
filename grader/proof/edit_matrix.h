#pragma once
/// The kill matrix of the tests: every systematic edit of the plain loops is a wrong submission, and a check
/// of the rubric has to notice it. For an edit that no check notices, a search looks for a witness: inputs at which
/// the edit is wrong. With a witness the rubric has a hole. Without one the edit most likely computes the same.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/proof_submissions.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/sample.h"

namespace attn::proof {

/// An edit that no check notices.
struct Survivor {
    std::string function, equation, said, becomes;
    /// Inputs outside of the rubric at which the edit is wrong: "scores near +-1000, N=2 D=3". Empty if none were
    /// found in many tries.
    std::string witness;
    std::string too_small;  ///< the class (TooSmall::place) of an edit that may have a witness; empty: none

    bool is_hole() const { return !witness.empty() && too_small.empty(); }
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
    int without_witness() const;
    int too_small() const;  ///< survivors that have a witness and are too small
    int holes() const;
};

/// Runs the edits that the sample draws through the cases and the properties of a part. For a survivor, looks
/// for inputs of the module's other recipes, sizes and options at which it is wrong.
EditMatrix edit_matrix(const rubric::Rubric& rubric, const rubric::PartRubric& part, std::uint64_t seed,
                       const Sample& sample, std::span<const TooSmall> too_small);

/// The same for all parts of an assignment, or for `function` alone, with the classes of its proof. Reports the
/// name of each function as it begins.
std::vector<EditMatrix> edit_matrices(const Installation& installation, const rubric::Rubric& rubric,
                                      std::uint64_t seed, const Sample& sample,
                                      const std::function<void(const std::string&)>& begins,
                                      const std::string& function = {});

/// The places of the classes to which no survivor of these matrices belongs.
std::vector<std::string> without_survivor(std::span<const TooSmall> too_small,
                                          std::span<const EditMatrix> matrices);

}  // namespace attn::proof
