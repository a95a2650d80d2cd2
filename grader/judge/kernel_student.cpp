#include "grader/judge/kernel_student.h"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "grader/judge/kernel_mistakes.h"
#include "grader/worker/emulated_options.h"

namespace attn::judge {
namespace {

using worker::EmulatedOptions;
using worker::OutputsBefore;

/// The watched build takes about fifty times as long. It runs only calls that the fast build does in this
/// time.
constexpr double kWatchable_s = 0.5;

constexpr std::uint64_t kOneOrder = 1, kAnotherOrder = 2;

bool is_endless(const worker::CallResult& result) {
    return result.outcome == Outcome::kernel_error && kind_of_finding(result.detail) == kEndless;
}

}  // namespace

KernelStudent::KernelStudent(worker::Worker& fast, worker::Worker& watched, LineResolvers resolve)
    : fast_(fast,
            [this](worker::Call& call) {
                const bool first = placement_ == worker::Placement::ends_at_guard;
                EmulatedOptions{first ? kOneOrder : kAnotherOrder, OutputsBefore::as_on_host,
                                endless_.launch_s()}
                    .append_to(call.options);
            }),
      watched_(watched,
               [this](worker::Call& call) {
                   EmulatedOptions{kOneOrder, OutputsBefore::nothing,
                                   EndlessLaunches::watched_launch_s(is_endless_)}
                       .append_to(call.options);
               }),
      resolve_(std::move(resolve)) {}

worker::CallResult KernelStudent::numbers(const ask::Function& function, const Arrays& inputs,
                                          const std::vector<std::string>& wanted,
                                          worker::Placement placement) {
    placement_ = placement;
    worker::CallResult result = fast_(function, inputs, wanted, placement);
    if (result.outcome == Outcome::kernel_error) result.detail = resolve_.fast(result.detail);
    return result;
}

worker::CallResult KernelStudent::watched_call(const ask::Function& function, const Arrays& inputs,
                                               const std::vector<std::string>& wanted,
                                               worker::Placement placement) {
    double took_s = 0;
    const auto timed = [&] {
        const auto start = worker::Clock::now();
        worker::CallResult result = numbers(function, inputs, wanted, placement);
        took_s = std::chrono::duration<double>(worker::Clock::now() - start).count();
        return result;
    };
    worker::CallResult result = timed();
    // One watched call is enough. If the order of threads matters, the numbers of the second call show it.
    if (!watchable_ || placement != worker::Placement::ends_at_guard) return result;
    const bool returned = result.outcome == Outcome::passed;
    // The first call also starts a process, and the machine may have been busy. So measure once more.
    if (returned && took_s >= kWatchable_s) result = timed();
    is_endless_ = is_endless(result);
    if (is_endless_) {
        if (!endless_.watches()) return result;
        endless_.watch();
    }
    const bool worth_watching = returned ? took_s < kWatchable_s
                                         : result.outcome == Outcome::kernel_error ||
                                               result.outcome == Outcome::crashed ||
                                               result.outcome == Outcome::out_of_bounds;
    if (!worth_watching) return result;
    worker::CallResult watched = watched_(function, inputs, wanted, placement);
    // The fast build came back, so if the watched build takes too long, the reason is the watching.
    const bool too_long = watched.outcome == Outcome::timed_out || is_endless(watched);
    watchable_ = !(returned && too_long);
    if (watched.outcome != Outcome::kernel_error || !watchable_) return result;
    watched.detail = resolve_.watched(watched.detail);
    watched.printed = std::move(result.printed);
    return watched;
}

worker::CallResult KernelStudent::operator()(const ask::Function& function, const Arrays& inputs,
                                             const std::vector<std::string>& wanted,
                                             worker::Placement placement) {
    if (function.name != function_) endless_.begin_function(), watchable_ = true;
    function_ = function.name;
    if (endless_.gives_up())
        return worker::failure(Outcome::skipped,
                               fmt::format("Not run: one of its kernels did not come back {} before.",
                                           endless_.times() == 1 ? "once" : "twice"));
    worker::CallResult result = watched_call(function, inputs, wanted, placement);
    // The message about a missing function must name the namespace of the kernels.
    constexpr std::string_view kSpace = "inside namespace attn.";
    if (result.outcome == Outcome::missing && result.detail.ends_with(kSpace))
        result.detail.insert(result.detail.size() - 1, "::cuda");
    if (is_endless(result)) endless_.stopped();
    return result;
}

}  // namespace attn::judge
