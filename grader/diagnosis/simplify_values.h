#pragma once
/// Makes the numbers of a failing case so simple that a person can check it by hand.

#include "grader/diagnosis/shrink.h"

namespace attn::diagnosis {

struct ValueLimits {
    int calls = 300;  ///< of the student's function
    /// For all calls, each of which counts as much as the fastest. A slow function keeps the numbers that it
    /// has by then.
    double seconds = 0.5;
};

/// Replaces the inputs of a failing case by zeros, ones and identity matrices, then single numbers by 0, 1,
/// -1 or 2, then by numbers with one or two digits. Masks only get more ones, so that no row becomes empty.
///
/// Each step must fail as the given case does: with the same outcome, in the same output, and at no element
/// that was right before; `still_fails` may ask for more. Unless `explained` is true (`still_fails` compares
/// with the numbers of the mistake), inputs that differ a little from the simple ones must fail by about as
/// much. Otherwise the case could fail for another reason: 0/0, a tie, an empty row.
Shrunk simplify_values(Shrunk failing, const judge::CallFunction& call, const StillFails& still_fails,
                       bool explained, const ValueLimits& limits = {});

}  // namespace attn::diagnosis
