#pragma once
/// The kill matrix: which check catches which mistake. Every known mistake is made inside the grader and
/// graded by every check of the rubric.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/report/report.h"
#include "grader/rubric/rubric.h"

namespace attn::proof {

/// A check of a part, as a column of the matrix.
struct Column {
    std::string name;
    bool property = false;
    std::string why;  ///< the rubric's reason to keep a case that no mistake needs
};

/// The matrix of one part. Rows are mistakes, columns are checks.
struct PartMatrix {
    std::string function;
    std::vector<Column> columns;
    std::vector<std::vector<bool>> caught;         ///< [mistake][column]
    std::vector<std::vector<std::string>> called;  ///< [mistake]: the names in its diagnoses, if it is caught
    std::vector<report::Part>
        reports;  ///< what is said about every second mistake that this part catches first

    /// Whether any column catches the mistake.
    bool catches(std::size_t mistake) const;
    /// The number of mistakes that a column catches.
    int number_caught(std::size_t column) const;
    /// The number of mistakes that a column catches and no earlier column of its kind (case or property)
    /// does.
    int number_first_caught(std::size_t column) const;
};

/// Which parts are asked about a mistake: all, or those up to the first one that catches it.
enum class PartsAsked { all, up_to_first };

/// A case with a reason (`why`) is asked only about the mistakes that nothing else in the rubric catches, or that
/// nothing else names exactly. So its column may show less than it would catch.
std::vector<PartMatrix> kill_matrix(const rubric::Rubric& rubric, std::uint64_t seed,
                                    PartsAsked asked = PartsAsked::all);

/// The names in the diagnoses of a mistake in the first part that catches it, its own name included. Empty if
/// no part catches it or its own name is missing. One name is exact, several are a class.
std::vector<std::string> names_of(const std::vector<PartMatrix>& parts, const std::string& mistake,
                                  std::size_t number);

/// Rounds the reference's answers to `bits` significant bits (11: half precision, 8: bfloat16) and judges
/// them. Returns the functions in which they pass although rounding changed a number.
std::vector<std::string> pass_when_rounded(const rubric::Rubric& rubric, std::uint64_t seed, int bits);

}  // namespace attn::proof
