#pragma once
/// The grader's proof. For each assignment: the stubs get no points; the reference and other right solutions
/// get all points; every known mistake costs points and is named, whether it is made inside the grader or in
/// a student's text; half precision is noticed; every case catches a mistake or says why it is there.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/kill_matrix.h"
#include "grader/proof/proof_submissions.h"
#include "grader/testing/sample.h"

namespace attn::proof {

/// The results for one assignment. The proof holds if there are no faults.
struct Proof {
    int number = 0;
    std::string module, title;
    std::vector<PartMatrix> parts;
    std::vector<std::string> mistakes;                ///< by name, in the module's order
    std::vector<std::vector<std::string>> names;      ///< the names of each in the first part that catches it
    int rights = 0, slips = 0, pairs = 0, seeds = 0;  ///< numbers of graded submissions
    int read =
        0;  ///< number of reports in which no sentence was refuted by the report itself, or that is a fault
    int impostors = 0;  ///< number of questions about a property that impostors were asked
    /// The number of pairs in which the later mistake is not named, because both mistakes together pass
    /// checks that the later one alone does not. The student keeps the points of these checks.
    int unnamed_pairs = 0;
    std::vector<std::string> faults;

    int exact() const;    ///< the number of mistakes with only their own name
    int classed() const;  ///< the number of mistakes in a class of two or three names
    std::vector<std::string> unnamed() const;
};

using Progress = std::function<void(const std::string& what)>;

/// Proves everything about one assignment except pairs. It grades the right solutions and the slips of
/// edits.toml that the sample draws, and asks the impostors of each part that it draws. With a sample, a part that
/// comes after the first one that catches a mistake is not asked about it, and a case need not catch one of its own.
Proof prove(const rubric::Rubric& rubric, const Installation& installation, std::uint64_t seed,
            const Sample& sample, const Progress& progress);

/// Grades the reference and the other right solutions as for the mark, one of them in turn with each of the
/// secret seeds 1 .. seeds. None may lose a point.
void prove_seeds(const rubric::Rubric& rubric, const Installation& installation, int seeds,
                 const Progress& progress, Proof& proof);

/// Grades submissions with two mistakes, one of them in an assignment that this one builds on. This
/// assignment's mistake must still be named, and the other one must cost no points here. Grades at most
/// `most` pairs, drawn by seed.
void prove_pairs(const rubric::Rubric& rubric, const Installation& installation, std::uint64_t seed,
                 std::size_t most, const Progress& progress, Proof& proof);

}  // namespace attn::proof
