#pragma once
/// The grader proves itself. Of each assignment: the stubs get nothing, the reference and other right
/// solutions everything; every known mistake costs points and is named, made inside the grader as well as in
/// a student's text; half precision is noticed; every case earns its place.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/kill_matrix.h"
#include "grader/proof/sample.h"
#include "grader/proof/slips.h"

namespace attn::proof {

/// What was found about one assignment. It holds if there are no faults.
struct Proof {
    int number = 0;
    std::string module, title;
    std::vector<PartMatrix> parts;
    std::vector<std::string> mistakes;            ///< by name, in the module's order
    std::vector<std::vector<std::string>> names;  ///< what each is called where it first fails
    int rights = 0, slips = 0, pairs = 0;         ///< submissions that were graded
    /// Of the pairs: those in which the later mistake is not named, because both together pass checks that it
    /// alone does not, and the student keeps what that earns.
    int unnamed_pairs = 0;
    std::vector<std::string> faults;

    int exact() const;    ///< mistakes called by their own name alone
    int classed() const;  ///< .. in a class of at most three
    std::vector<std::string> unnamed() const;
};

using Progress = std::function<void(const std::string& what)>;

/// Everything about one assignment but pairs. Of the right solutions and of the slips in edits.toml, each, it
/// grades those that the sample draws.
Proof prove(const submission::Rubric& rubric, const Installation& installation, std::uint64_t seed,
            const Sample& sample, const Progress& progress);

/// Two mistakes in one submission, one of them in an assignment that this one builds on: this one's is named
/// all the same, and nothing else is charged here. At most `most` pairs, drawn by seed.
void prove_pairs(const submission::Rubric& rubric, const Installation& installation, std::uint64_t seed,
                 std::size_t most, const Progress& progress, Proof& proof);

}  // namespace attn::proof
