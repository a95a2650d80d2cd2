#pragma once
/// Which check catches which mistake: every known mistake is made inside the grader, and every check of the
/// rubric is asked about it.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/rubric/rubric.h"

namespace attn::proof {

/// A check of a part, as a column of the matrix.
struct Column {
    std::string name;
    bool property = false;
    std::string why;  ///< the rubric's word on a case that no mistake needs
};

/// The matrix of one part: mistakes down, checks across.
struct PartMatrix {
    std::string function;
    std::vector<Column> columns;
    std::vector<std::vector<bool>> caught;         ///< [mistake][column]
    std::vector<std::vector<std::string>> called;  ///< [mistake]: the names given to it here, if it fails

    bool suffers(std::size_t mistake) const;
    /// Mistakes that a column catches.
    int kills(std::size_t column) const;
    /// Mistakes that a column catches and no column of its kind before it does.
    int first_to_kill(std::size_t column) const;
};

std::vector<PartMatrix> kill_matrix(const submission::Rubric& rubric, std::uint64_t seed);

/// The names that a mistake gets where it first fails, its own among them; empty where it never fails or is
/// not named. One name is exact, more are a class.
std::vector<std::string> names_of(const std::vector<PartMatrix>& parts, const std::string& mistake,
                                  std::size_t number);

/// What the reference's answers, rounded to `bits` significant bits (11: half precision, 8: bfloat16), are
/// judged as: the functions in which they pass although a number was rounded.
std::vector<std::string> pass_when_rounded(const submission::Rubric& rubric, std::uint64_t seed, int bits);

}  // namespace attn::proof
