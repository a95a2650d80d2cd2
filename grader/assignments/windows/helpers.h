#pragma once
/// Assignment 17: what several of its files use.

#include <string>
#include <vector>

#include "grader/ask/laws.h"

namespace attn::ask::windows {

std::vector<Property> window_attention_properties();
std::vector<Property> swin_block_properties();
std::vector<Property> patch_merging_properties();
std::vector<Property> shifted_patch_properties();

/// A whole option or a length.
int whole(const Arrays& inputs, const std::string& option);

/// Two calls: the inputs, and those that `change` makes of them. `relate` compares the outputs of both.
Property two_calls(
    std::string name, std::string statement, std::function<Arrays(const Arrays&, Random&)> change,
    std::function<Relations(const Array& before, const Array& after, const Arrays& inputs)> relate,
    const std::string& output);

/// Places 0 .. count - 1 of which each begins `by` later: place k is place k + by, counted around.
std::vector<int> rolled(int count, int by);

/// The order in which M x M cells, counted row by row, are counted column by column.
std::vector<int> columns_first(int rows, int columns);

/// X [B, H, W, D] with other numbers in the cells for which `is_other` holds, in all images.
Array with_other_cells(Array X, Random& random, const std::function<bool(int r, int k)>& is_other);

/// 1 for each vector (along the last axis) of two arrays that differs, else 0.
Array changed_vectors(const Array& before, const Array& after);

/// How many of them are 1, as an array of one number.
Array how_many(const Array& marks);

/// One number of X is another one: exactly one cell of `output` changes.
Property one_cell_changes_one(std::string name, std::string statement, const std::string& output);

}  // namespace attn::ask::windows
