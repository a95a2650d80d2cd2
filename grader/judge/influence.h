#pragma once
/// How much the outputs of a function depend on its inputs. Influence is an amount: an output depends on an
/// input if another array in the place of the input changes a fair share of what it changes in the reference.

#include <string>
#include <vector>

#include "grader/judge/runs.h"

namespace attn::judge {

/// The least share that counts. judge/README.md has the measurements behind this number.
inline constexpr double kLeastInfluence = 0.05;

/// The influence of one input on one output, where it has any in the reference.
struct Influence {
    std::string input, output;
    /// What other arrays in place of the input change, as a share of what they change in the reference: 0 to
    /// 1. No element counts for more than it changes in the reference, so that a few large changes are no
    /// substitute for many. Of whole numbers, such as tokens, the elements that change are counted.
    double share = 0;
    bool elsewhere =
        false;  ///< a large share, but of elements that the input does not change in the reference
};

/// Measures all influences on the outputs of `call`, a student. Changes that are little above the allowed
/// rounding do not count, so every right answer has shares near 1. An output that depends on no array (a
/// causal mask, positions) has to depend on its own "index": it is compared with its reverse. If a call
/// failed, `failed` gets its outcome, and the result is empty. Numbers that are not finite are no failure
/// here; they have no influence.
std::vector<Influence> influences_on(const Question& question, const CallFunction& call, Runs& failed);

/// The inputs with too little influence on an output. Empty if more than three quarters of the inputs have
/// enough.
std::vector<std::string> missing_influences(const std::vector<Influence>& all, const std::string& output);

}  // namespace attn::judge
