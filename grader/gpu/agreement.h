#pragma once
/// Whether kernels give the truth's numbers, over all questions about a function.

#include <string>
#include <vector>

#include "grader/judge/answer.h"

namespace attn::gpu {

struct Agreement {
    int asked = 0, passed = 0;
    double worst_yardsticks = 0;        ///< the largest error of any output; infinite where one is not finite
    std::vector<std::string> failures;  ///< "ragged (normal numbers, N=5 D=7): wrong: .."

    /// Of nothing asked, nothing is true.
    bool all_passed() const { return asked > 0 && passed == asked && failures.empty(); }
};

/// Asks every question twice: the numbers must be the truth's, and the bits the same again.
Agreement agree(const std::vector<judge::Question>& questions, const judge::Ask& ask);

}  // namespace attn::gpu
