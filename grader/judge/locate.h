#pragma once
/// Describes in words which elements of an output are wrong.

#include <string>
#include <vector>

#include "assignments/array.h"

namespace attn::judge {

/// The index, such as (1, 3, 2), of the element at `offset` in a row-major array.
std::vector<int> index_of(std::size_t offset, const Shape& shape);

/// The word for an index of this axis if the axes before the features are those of a grid of cells, such as [B, H, W, D] and
/// [B, R, C, D], or of windows and their cells, such as [B, N, M*M, D]. Empty elsewhere.
std::string word_in_grid(std::size_t axis, const std::vector<std::string>& dims);

/// The places of the marked elements of an array. The text continues "Y is wrong in ":
///   "every element"                "rows >= 32 only"           "batch 1 only"
///   "11 of 12 rows"                "column 6 (the last) only"  "3 of 70 elements, in 2 of 10 rows"
///   "element (1, 5, 3) only"
/// `dims`: the letters of the shape, such as B, C, H, W, by which an axis before the rows is named.
std::string locate(const std::vector<bool>& marked, const Shape& shape,
                   const std::vector<std::string>& dims = {});

}  // namespace attn::judge
