#pragma once
/// The arrays that a function of the plain loops computes on its way, under the names of its equations.

#include <span>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "assignments/call.h"
#include "grader/edits/program.h"

namespace attn::edits {

/// Runs a function in double and returns its intermediates in the order in which they are computed: E and A
/// of attention, Q, K, V and O_h of its heads, mu and var of a norm. They are found in the text:
/// - The comment "E = Q K^T / sqrt(D_q)" names the array that the code below it, to the next equation, writes
///   last. A comment with several equations names the variables that are called so.
/// - A variable of the function that its documentation names is one, too.
/// What a loop computes again and again gets the loop's index as an axis. Functions that it calls add their
/// own, if `most_numbers` are not exceeded. Outputs and inputs of the function are left out, and so are names
/// that would stand for two things, and what is computed block by block. Empty if the function cannot be run.
Arrays intermediates(const Program& program, int function, std::span<const Argument> arguments,
                     std::size_t most_numbers);

}  // namespace attn::edits
