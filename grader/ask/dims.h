#pragma once
/// Lengths of axes: a letter ("N_q") or an expression of letters ("D/H", "H/P*W/P+1", "2*M-1", "ceil(N/B_r)").

#include <map>
#include <string>
#include <vector>

namespace attn::ask {

/// Lengths by letter: {"B", 2}, {"N_q", 5}.
using Sizes = std::map<std::string, int>;

/// True for a single letter. Its length can be read from the shape of an array.
bool is_letter(const std::string& dim);

/// The letters of an expression, in order.
std::vector<std::string> letters_of(const std::string& dim);

/// Evaluates sums and differences of products of quotients of letters and whole numbers. Quotients are rounded down:
/// "H/P*W/P+1" is (H/P) (W/P) + 1. ceil(N/B_r) is the quotient of two operands, rounded up. Throws std::out_of_range for a letter without a length, and
/// std::invalid_argument for any other text that is not such an expression.
int length_of(const std::string& dim, const Sizes& sizes);

}  // namespace attn::ask
