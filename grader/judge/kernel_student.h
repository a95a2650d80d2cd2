#pragma once
/// Calls a student's kernels. They run on the GPU emulator in two builds: a fast one, for the numbers, and a
/// watched one that checks every memory access. The watched build finds errors that a GPU may show only in
/// another run.

#include <functional>
#include <string>
#include <vector>

#include "grader/judge/endless_launches.h"
#include "grader/judge/student.h"

namespace attn::judge {

/// Functions that replace the addresses in a finding of the emulator with file and line, one for each build.
struct LineResolvers {
    std::function<std::string(const std::string&finding)> fast, watched;
};

class KernelStudent {
  public:
    /// `fast` and `watched`: workers with the two builds. Both must outlive this object.
    KernelStudent(worker::Worker& fast, worker::Worker& watched, LineResolvers resolve);

    /// Returns the numbers of the fast build, or a finding of the watched build, even if the numbers are
    /// right. Blocks and threads run in one order if the arrays end at a guard page, and in another order if
    /// they start at one, so that two calls show whether the order matters. A finding has the outcome
    /// kernel_error and the detail "KIND: TEXT": see kernel_mistakes.h.
    worker::CallResult operator()(const ask::Function& function, const Arrays& inputs,
                                  const std::vector<std::string>& wanted, worker::Placement placement);

    /// Returns the numbers of the fast build alone.
    worker::CallResult numbers(const ask::Function& function, const Arrays& inputs,
                               const std::vector<std::string>& wanted, worker::Placement placement);

  private:
    worker::CallResult watched_call(const ask::Function& function, const Arrays& inputs,
                                    const std::vector<std::string>& wanted, worker::Placement placement);

    worker::Placement placement_ = worker::Placement::ends_at_guard;
    Student fast_, watched_;
    LineResolvers resolve_;
    std::string function_;
    bool watchable_ = true;    ///< no call of this function took too long in the watched build
    bool is_endless_ = false;  ///< whether the emulator stopped the fast build's last call
    EndlessLaunches endless_;
};

}  // namespace attn::judge
