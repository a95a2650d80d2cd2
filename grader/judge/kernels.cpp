#include "grader/judge/kernels.h"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include "grader/judge/kernel_mistakes.h"
#include "grader/worker/emulated_options.h"

namespace attn::judge {
namespace {

using worker::EmulatedOptions;
using worker::OutputsBefore;

/// For the watched build, which takes some fifty times as long, a call of the fast one must not take more.
constexpr double kWatchable_s = 0.5;

constexpr std::uint64_t kOneOrder = 1, kAnotherOrder = 2;

}  // namespace

Kernels::Kernels(worker::Worker& fast, worker::Worker& watched, Resolve resolve)
    : fast_(fast,
            [this](worker::Call& call) {
                const bool first = placement_ == worker::Placement::ends_at_guard;
                EmulatedOptions{first ? kOneOrder : kAnotherOrder, OutputsBefore::as_on_host}.append_to(
                    call.options);
            }),
      watched_(watched,
               [](worker::Call& call) {
                   EmulatedOptions{kOneOrder, OutputsBefore::nothing}.append_to(call.options);
               }),
      resolve_(std::move(resolve)) {}

worker::CallResult Kernels::numbers(const ask::Function& function, const Arrays& inputs,
                                    const std::vector<std::string>& wanted, worker::Placement placement) {
    placement_ = placement;
    worker::CallResult result = fast_(function, inputs, wanted, placement);
    if (result.outcome == Outcome::kernel_error) result.detail = resolve_.fast(result.detail);
    return result;
}

worker::CallResult Kernels::asked(const ask::Function& function, const Arrays& inputs,
                                  const std::vector<std::string>& wanted, worker::Placement placement) {
    double took_s = 0;
    const auto timed = [&] {
        const auto start = worker::Clock::now();
        worker::CallResult result = numbers(function, inputs, wanted, placement);
        took_s = std::chrono::duration<double>(worker::Clock::now() - start).count();
        return result;
    };
    worker::CallResult result = timed();
    // Once is enough: what the order of threads changes, the second answer's numbers show.
    if (!watchable_ || placement != worker::Placement::ends_at_guard) return result;
    const bool came_back = result.outcome == Outcome::passed;
    // The first call starts a process, and any may have met a busy machine.
    if (came_back && took_s >= kWatchable_s) result = timed();
    const bool worth_watching = came_back ? took_s < kWatchable_s
                                          : result.outcome == Outcome::kernel_error ||
                                                result.outcome == Outcome::crashed ||
                                                result.outcome == Outcome::out_of_bounds;
    if (!worth_watching) return result;
    worker::CallResult watched = watched_(function, inputs, wanted, placement);
    // Of a kernel that came back, too long means that watching takes too long.
    const bool too_long =
        watched.outcome == Outcome::timed_out ||
        (watched.outcome == Outcome::kernel_error && kind_of_finding(watched.detail) == kEndless);
    watchable_ = !(came_back && too_long);
    if (watched.outcome != Outcome::kernel_error || !watchable_) return result;
    watched.detail = resolve_.watched(watched.detail);
    watched.printed = std::move(result.printed);
    return watched;
}

worker::CallResult Kernels::operator()(const ask::Function& function, const Arrays& inputs,
                                       const std::vector<std::string>& wanted, worker::Placement placement) {
    if (function.name != function_) endless_ = 0, watchable_ = true;
    function_ = function.name;
    if (endless_ >= Student::kPatience)
        return worker::failure(Outcome::skipped, "Not run: a kernel of it did not come back " +
                                                     std::to_string(Student::kPatience) + " times before.");
    worker::CallResult result = asked(function, inputs, wanted, placement);
    // Who is missing another assignment's function is told its name.
    constexpr std::string_view kSpace = "inside namespace attn.";
    if (result.outcome == Outcome::missing && result.detail.ends_with(kSpace))
        result.detail.insert(result.detail.size() - 1, "::cuda");
    if (result.outcome == Outcome::kernel_error && kind_of_finding(result.detail) == kEndless) ++endless_;
    return result;
}

}  // namespace attn::judge
