#pragma once
/// Lengths of axes: a letter ("N_q"), or what follows from letters ("D/H", "H/P*W/P+1", "P*P*C").

#include <map>
#include <string>
#include <vector>

namespace attn::ask {

/// Lengths by letter: {"B", 2}, {"N_q", 5}.
using Sizes = std::map<std::string, int>;

/// True for a letter alone: a length that an array tells.
bool is_letter(const std::string& dim);

/// The letters of an expression, in order.
std::vector<std::string> letters_of(const std::string& dim);

/// A sum of products of quotients of letters and whole numbers, quotients rounded down:
/// "H/P*W/P+1" is (H/P) (W/P) + 1. Throws std::out_of_range for a letter without a length,
/// std::invalid_argument for anything else that is no such expression.
int length_of(const std::string& dim, const Sizes& sizes);

}  // namespace attn::ask
