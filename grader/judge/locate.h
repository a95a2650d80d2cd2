#pragma once
/// Where does an output differ? Said as people would say it.

#include <string>
#include <vector>

#include "assignments/array.h"

namespace attn::judge {

/// "(1, 3, 2)"-style index of the element at `offset` of a row-major array.
std::vector<int> index_of(std::size_t offset, const Shape& shape);

/// Where the marked elements of an array lie, to stand behind "Y is wrong in ":
///   "every element"                "rows >= 32 only"           "batch 1 only"
///   "11 of 12 rows"                "column 6 (the last) only"  "3 of 70 elements, in 2 of 10 rows"
///   "element (1, 5, 3) only"
std::string locate(const std::vector<bool>& marked, const Shape& shape);

}  // namespace attn::judge
