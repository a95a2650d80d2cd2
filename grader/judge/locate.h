#pragma once
/// Where does an output differ? Said as people would say it.

#include <string>
#include <vector>

#include "assignments/array.h"

namespace attn::judge {

/// "(1, 3, 2)"-style index of the element at `offset` of a row-major array.
std::vector<int> index_of(std::size_t offset, const Shape& shape);

/// A sentence without its full stop about the marked elements of array `name`:
///   "Every element of Y"          "Rows >= 32 of Y"           "Batch 1 of Y"
///   "11 of 12 rows of Y"          "Column 6 of Y, the last"   "3 of 70 elements of Y, in 2 of 10 rows"
std::string locate(const std::vector<bool>& marked, const Shape& shape, const std::string& name);

}  // namespace attn::judge
