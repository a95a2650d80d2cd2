#pragma once
/// Compares the results of kernels with the truth, over all questions about a function.

#include <string>
#include <vector>

#include "grader/judge/answer.h"

namespace attn::gpu {

struct Agreement {
    int asked = 0, passed = 0;
    double worst_yardsticks = 0;  ///< the largest error of any output; infinite if an output is not finite
    std::vector<std::string> failures;  ///< "ragged (normal numbers, N=5 D=7): wrong: .."

    /// False if no question was asked.
    bool all_passed() const { return asked > 0 && passed == asked && failures.empty(); }
};

/// Asks every question twice. The numbers must agree with the truth, and both answers bit by bit.
Agreement agree(const std::vector<judge::Question>& questions, const judge::CallFunction& ask);

}  // namespace attn::gpu
