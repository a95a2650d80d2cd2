#pragma once
/// Contents for timed calls: always others, always alike.

#include <cstdint>
#include <random>
#include <vector>

#include "grader/judge/answer.h"

namespace attn::judge {

/// Inputs of one kind, different in every number from call to call. They follow from no seed that anybody
/// knows. A few are made as the question says; before each use the low 16 bits of every float are drawn anew,
/// which keeps sign and size and changes the number by up to a part in 128: more than a result remembered
/// from an earlier call could hide, and quicker than making it from the start.
class FreshInputs {
  public:
    /// `drawn_anew`: false leaves out the drawing of bits, for a test of what it is good for.
    explicit FreshInputs(const Question& question, bool drawn_anew = true);
    Arrays next();

  private:
    static constexpr int kKinds = 4;
    std::mt19937_64 random_;
    std::vector<Arrays> made_;
    std::size_t used_ = 0;
    bool drawn_anew_;
};

}  // namespace attn::judge
