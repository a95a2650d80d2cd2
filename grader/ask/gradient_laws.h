#pragma once
/// Properties of right gradients, which the backwards of all functions share.

#include <string>
#include <vector>

#include "grader/ask/laws.h"

namespace attn::ask {

/// f(3/4 dY + 1/4 dY') = 3/4 f(dY) + 1/4 f(dY') for the gradients of all outputs of the forward together.
Property linear_in_gradient(const std::vector<std::string>& of_outputs);

/// If these inputs are permuted along these axes, all in the same way, then these outputs are, too, and the
/// others stay.
Property permutes(std::string name, std::string statement, std::vector<Along> inputs,
                  std::vector<Along> outputs);

/// Each slice of these inputs alone, along the first axis, gives its slice of `kept`. All other outputs add up.
Property adds_up(std::string name, std::string statement, std::vector<std::string> cut,
                 std::vector<std::string> kept);

/// The same for batches.
Property batches_add_up(std::vector<std::string> cut, std::vector<std::string> kept);

/// The sums along an axis, which disappears.
Array summed(const Array& array, int axis);

/// The sum along an axis is 0. `of` continues the array's name.
Relation sums_to_0(const Array& array, int axis, const std::string& of = "");

/// The sums of an output along an axis are 0.
Property zero_sums(std::string name, std::string statement, const std::string& output, int axis);

Property rows_sum_to_0(const std::string& output, int axis);

}  // namespace attn::ask
