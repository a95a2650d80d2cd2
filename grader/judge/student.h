#pragma once
/// A student's function, as the judge sees it: inputs in, outputs and an outcome out.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/check.h"
#include "grader/worker/launch.h"

namespace attn::judge {

/// One call. `wanted`: names of the outputs to ask for; empty means all.
using Ask =
    std::function<worker::CallResult(const ask::Function& function, const Arrays& inputs,
                                     const std::vector<std::string>& wanted, worker::Placement placement)>;

using ask::is_wanted;

/// A call for `function` with these inputs, outputs shaped as they imply. The inputs must outlive it.
worker::Call make_call(const ask::Function& function, const Arrays& inputs,
                       const std::vector<std::string>& wanted, worker::Placement placement);

/// What a call is told besides.
using Alter = std::function<void(worker::Call&)>;

/// Asks a worker. A function's further calls are skipped after `kPatience` time-outs, or when all its calls
/// have taken `kMostLimits` times what one may: an endless loop costs a student two time limits, not one for
/// each check.
class Student {
  public:
    static constexpr int kPatience = 2, kMostLimits = 10;

    explicit Student(worker::Worker& worker, Alter alter = {}) : worker_(worker), alter_(std::move(alter)) {}
    worker::CallResult operator()(const ask::Function& function, const Arrays& inputs,
                                  const std::vector<std::string>& wanted, worker::Placement placement);

  private:
    worker::Worker& worker_;
    Alter alter_;
    std::string function_;
    int timeouts_ = 0;
    double time_s_ = 0;  ///< of this function's calls in all
};

}  // namespace attn::judge
