#pragma once
/// Calls a student's function: inputs in, outputs and an outcome out.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/ask/call_spec.h"
#include "grader/ask/module.h"
#include "grader/worker/launch.h"

namespace attn::judge {

/// Makes one call of a function under test. `wanted`: names of the outputs to request; empty means all.
using CallFunction =
    std::function<worker::CallResult(const ask::Function& function, const Arrays& inputs,
                                     const std::vector<std::string>& wanted, worker::Placement placement)>;

using ask::is_wanted;

/// A call of `function` with these inputs. The shapes of the outputs follow from the inputs. The inputs must
/// outlive the call.
worker::Call make_call(const ask::Function& function, const Arrays& inputs,
                       const std::vector<std::string>& wanted, worker::Placement placement);

/// Changes a call before it is sent to the worker.
using PrepareCall = std::function<void(worker::Call&)>;

/// Makes the calls in a worker. Skips further calls of a function after kMostTimeouts timeouts, or when its
/// calls together have taken kMostTimeLimits times the limit of one call. So an endless loop takes two time
/// limits, not one for each check.
class Student {
  public:
    static constexpr int kMostTimeouts = 2, kMostTimeLimits = 10;

    explicit Student(worker::Worker& worker, PrepareCall prepare = {})
        : worker_(worker), prepare_(std::move(prepare)) {}
    worker::CallResult operator()(const ask::Function& function, const Arrays& inputs,
                                  const std::vector<std::string>& wanted, worker::Placement placement);

  private:
    worker::Worker& worker_;
    PrepareCall prepare_;
    std::string function_;
    int timeouts_ = 0;
    double time_s_ = 0;  ///< of all calls of this function
};

}  // namespace attn::judge
