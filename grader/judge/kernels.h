#pragma once
/// A student's kernels, as the judge sees them. They run on the emulator of a GPU, in two builds: a fast one,
/// for numbers, and one that watches every access, for what a GPU would do at some other time.

#include <functional>
#include <string>
#include <vector>

#include "grader/judge/student.h"

namespace attn::judge {

/// Replaces the places in what the emulator found by file and line, in one of the two builds.
struct Resolve {
    std::function<std::string(const std::string&found)> fast, watched;
};

class Kernels {
  public:
    /// Workers with the two builds; both have to outlive it.
    Kernels(worker::Worker& fast, worker::Worker& watched, Resolve resolve);

    /// Numbers of the fast build; or what the other found, even where the numbers came out right. Blocks and
    /// threads run in one order where the arrays end at a guard page, in another where they start at one, so
    /// that who asks twice sees whether the order matters. The outcome of a finding is kernel_error, its
    /// detail "KIND: TEXT": see kernel_mistakes.h.
    worker::CallResult operator()(const ask::Function& function, const Arrays& inputs,
                                  const std::vector<std::string>& wanted, worker::Placement placement);

    /// Of the fast build alone.
    worker::CallResult numbers(const ask::Function& function, const Arrays& inputs,
                               const std::vector<std::string>& wanted, worker::Placement placement);

  private:
    worker::CallResult asked(const ask::Function& function, const Arrays& inputs,
                             const std::vector<std::string>& wanted, worker::Placement placement);

    worker::Placement placement_ = worker::Placement::ends_at_guard;
    Student fast_, watched_;
    Resolve resolve_;
    std::string function_;
    bool watchable_ = true;  ///< none of this function's calls took the watched build too long
    int endless_ = 0;        ///< calls of this function that the emulator has stopped
};

}  // namespace attn::judge
