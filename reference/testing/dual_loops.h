#pragma once
/// The plain loops over dual numbers: exact derivatives of the functions of assignments 1 to 6 and 11. The text is
/// the reference's own, so that the derivative of a function cannot drift from the function.

#include <functional>
#include <map>
#include <string>

#include "grader/ask/check.h"

namespace attn::testing {

/// The functions that assignment 13 has a backward of, by name. Arrays of real numbers are arrays of Dual.
std::map<std::string, ask::Implementation> dual_loops();

/// The exact gradient of sum_outputs <upstream, output> with respect to every real input of the function, by the
/// input's name. `inputs`: the arrays and options of the call. `upstream`: by the output's name; an output without
/// one does not count. One call for each number of an input, so the inputs should be small.
std::map<std::string, Array> exact_gradients(const ask::Function& function, const ask::Implementation& dual,
                                             const Arrays& inputs,
                                             const std::map<std::string, Array>& upstream);

}  // namespace attn::testing
