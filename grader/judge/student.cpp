#include "grader/judge/student.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace attn::judge {

worker::Call make_call(const ask::Function& function, const Arrays& inputs,
                       const std::vector<std::string>& wanted, worker::Placement placement) {
    const ask::Sizes sizes = ask::sizes_of(function, inputs);
    worker::Call call;
    call.function = function.name;
    call.placement = placement;
    for (const ask::TensorSpec& spec : function.outputs) {
        const bool asked = is_wanted(wanted, spec.name);
        call.outputs.push_back({spec.name, ask::shape_of(spec, sizes), spec.type, asked});
    }
    for (const ask::TensorSpec& spec : function.inputs) {
        const auto given = std::find_if(inputs.begin(), inputs.end(),
                                        [&spec](const Array& input) { return input.name == spec.name; });
        call.inputs.push_back(
            {given == inputs.end() ? nullptr : &*given, spec.type, static_cast<int>(spec.dims.size())});
    }
    call.options = function.option_values(inputs);
    return call;
}

worker::CallResult Student::operator()(const ask::Function& function, const Arrays& inputs,
                                       const std::vector<std::string>& wanted, worker::Placement placement) {
    if (function.name != function_) timeouts_ = 0, time_s_ = 0;
    function_ = function.name;
    if (timeouts_ >= kMostTimeouts)
        return worker::failure(Outcome::skipped, "Not run: the function did not come back " +
                                                     std::to_string(kMostTimeouts) + " times before.");
    if (time_s_ >= kMostTimeLimits * worker_.limits().time_s)
        return worker::failure(Outcome::skipped,
                               fmt::format("Not run: the earlier calls took {:.0f} s.", time_s_));
    const auto start = worker::Clock::now();
    worker::Call call = make_call(function, inputs, wanted, placement);
    if (prepare_) prepare_(call);
    worker::CallResult result = worker_.call(call);
    time_s_ += std::chrono::duration<double>(worker::Clock::now() - start).count();
    if (result.outcome == Outcome::timed_out) ++timeouts_;
    return result;
}

}  // namespace attn::judge
