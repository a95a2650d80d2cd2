#pragma once
/// Inputs for timed calls: different for each call, but of the same kind.

#include <cstdint>
#include <random>
#include <vector>

#include "grader/judge/answer.h"

namespace attn::judge {

/// Inputs of one kind that differ in every number from call to call, so that a submission gains nothing by
/// keeping earlier results. Their seed is random and unknown. A few inputs are made as the question says.
/// Before each use the low 16 bits of every float are drawn again. That keeps sign and magnitude and changes
/// the number by up to 1/128, so the result of an earlier call would be wrong. It is also faster than making
/// new inputs.
class FreshInputs {
  public:
    /// `redraw_bits`: false only for a test that shows why the bits are drawn again.
    explicit FreshInputs(const Question& question, bool redraw_bits = true);
    Arrays next();

  private:
    static constexpr int kKinds = 4;
    std::mt19937_64 random_;
    std::vector<Arrays> prepared_;
    std::size_t used_ = 0;
    bool redraw_bits_;
};

}  // namespace attn::judge
