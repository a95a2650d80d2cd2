#pragma once
/// Says which of the smaller functions that a wrong function is made of are right.

#include <string>
#include <vector>

#include "grader/diagnosis/numeric.h"

namespace attn::diagnosis {

/// Calls the smaller functions of the assignment with the inputs that `question` gives them
/// (ask/inner_calls.h) and returns a sentence: "With the numbers of this case, your softmax is right; ..".
/// Empty if the student has written none of them, except those called `left_out`.
std::string about_inner_calls(const judge::Question& question, const Arrays& inputs,
                              const std::vector<std::string>& left_out, const judge::CallFunction& call);

/// Adds this sentence to the message of one failed check without a named mistake, the one with the smallest
/// case if there is one. Nothing is added if any failure has a named mistake. `stand_ins`: functions for
/// which the reference is used, also by `call`: what calls a wrong function of the student would be wrong, too.
void add_inner_calls(NumericResult& judged, const std::vector<std::string>& stand_ins,
                     const judge::CallFunction& call);

}  // namespace attn::diagnosis
