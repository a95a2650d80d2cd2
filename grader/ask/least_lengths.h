#pragma once
/// Lengths below which a contract promises nothing: "Requires V >= 5".

#include <algorithm>
#include <string>

#include "grader/ask/module.h"

namespace attn::ask {

/// The least length that the contract of the function allows for this letter. It stands among the function's ranges, as
/// one without an end: letters and inputs have different names.
inline int least_length(const Function& function, const std::string& letter) {
    const auto found = std::find_if(function.ranges.begin(), function.ranges.end(),
                                    [&](const NumberRange& range) { return range.input == letter; });
    return found == function.ranges.end() ? 1 : found->least;
}

/// Whether the contract promises right numbers for these sizes: they are not refused, and none is below its least.
inline bool accepts(const Function& function, const Sizes& sizes) {
    return function.refusal(sizes).empty() && std::all_of(sizes.begin(), sizes.end(), [&](const auto& each) {
               return each.second >= least_length(function, each.first);
           });
}

}  // namespace attn::ask
