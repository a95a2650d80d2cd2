#include "grader/speed/measure_speed.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "grader/judge/fresh_inputs.h"
#include "grader/speed/scale.h"
#include "grader/speed/statistics.h"
#include "grader/speed/timed_answers.h"
#include "grader/speed/timed_library.h"

namespace attn::speed {
namespace {

constexpr std::size_t kFewestRestarts = 6;
constexpr double kTargetWidth = kSettled / 2;  ///< of the interval of the share
constexpr int kToleratedTimeouts = 1;          ///< the machine may have stalled
constexpr int kRounds = 3;                     ///< batches of each library between two restarts
constexpr double kMostBytesPerSecond = 1e12;

double output_bytes(const judge::Question& question) {
    double bytes = 0;
    for (const ask::TensorSpec& output : question.function->outputs) {
        if (ask::is_wanted(question.wanted, output.name))
            bytes += 4 * static_cast<double>(element_count(ask::shape_of(output, question.sizes)));
    }
    return bytes;
}

/// Times of one call.
struct Times {
    double yours_s, plain_s, yardstick_s;
};

class Measurement {
  public:
    explicit Measurement(const SpeedTask& task)
        : task_(task),
          fresh_(task.question, task.fresh),
          yours_(task.question, task.yours, task.threads, task.guards),
          plain_(task.question, task.plain, task.threads, task.guards),
          yardstick_(task.question, task.yardstick, task.threads, task.guards) {}

    /// Starts new processes for all three libraries and times a few batches of each in turn. Returns the
    /// student's failed call, if there is one. The times are dropped if all batches of a library were
    /// disturbed, unless `accept_disturbed`.
    std::optional<worker::CallResult> restart(bool accept_disturbed);

    std::size_t restarts() const { return restarts_.size(); }
    report::Speed result() const;
    /// The share of the points, computed for each restart, so that a disturbance of all three libraries at
    /// once has little effect.
    report::Interval share() const;

  private:
    std::optional<worker::CallResult> time_batches();

    const SpeedTask& task_;
    judge::FreshInputs fresh_;
    TimedLibrary yours_, plain_, yardstick_;
    std::optional<TimedAnswers> answers_;
    std::vector<Times> restarts_;
};

/// The plain loops or the yardstick timed out. Once this may be the fault of a machine that stalled.
struct ReferenceTimeout : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Returns a batch of the plain loops or the yardstick. Throws if it failed.
worker::Batch require_passed(const char* name, worker::Batch batch) {
    if (batch.call.outcome == Outcome::passed) return batch;
    if (batch.call.outcome == Outcome::timed_out)
        throw ReferenceTimeout(
            fmt::format("{} cannot be timed: {} Is this machine too busy?", name, batch.call.detail));
    throw std::runtime_error(
        fmt::format("{} cannot be timed: {}; build the grader again", name, batch.call.detail));
}

std::optional<worker::CallResult> Measurement::restart(bool accept_disturbed) {
    const Arrays first = fresh_.next();
    const worker::Batch yardstick = require_passed("the yardstick", yardstick_.restart(first));
    const worker::Batch plain = require_passed("the plain loops' library", plain_.restart(first));
    const double overhead_s = plain_.measure_overhead_s(first);
    for (TimedLibrary* runner : {&yours_, &plain_, &yardstick_}) runner->subtract_overhead(overhead_s);
    if (!answers_) {
        answers_.emplace(task_.question, first);
        answers_->require_right("plain loops", plain.outputs.front());
        answers_->require_right("yardstick", yardstick.outputs.front());
    }
    const worker::Batch yours = yours_.restart(first);
    if (auto failed = answers_->failure_in(yours, yardstick.outputs)) return failed;
    for (int k = 0; k < kRounds; ++k)
        if (auto failed = time_batches()) return failed;
    const auto time_s = [accept_disturbed](const TimedLibrary& runner) {
        return accept_disturbed ? runner.last_call_s() : runner.call_s();
    };
    const Times times{time_s(yours_), time_s(plain_), time_s(yardstick_)};
    if (!std::isnan(times.yours_s + times.plain_s + times.yardstick_s)) restarts_.push_back(times);
    return std::nullopt;
}

report::Speed Measurement::result() const {
    std::vector<double> yours, plain, yardstick, times_plain, times_yardstick;
    for (const Times& each : restarts_) {
        yours.push_back(each.yours_s);
        plain.push_back(each.plain_s);
        yardstick.push_back(each.yardstick_s);
        times_plain.push_back(each.plain_s / each.yours_s);
        times_yardstick.push_back(each.yardstick_s / each.yours_s);
    }
    report::Speed speed;
    speed.yours_ms = median(yours) / kMilli;
    speed.plain_ms = median(plain) / kMilli;
    speed.yardstick_ms = median(yardstick) / kMilli;
    speed.times_plain = ratio_interval(times_plain);
    speed.times_yardstick = ratio_interval(times_yardstick);
    return speed;
}

report::Interval Measurement::share() const {
    std::vector<double> shares;
    for (const Times& each : restarts_)
        shares.push_back(share_of(task_.scale, each.plain_s / each.yours_s, each.plain_s / each.yardstick_s));
    return median_interval(shares);
}

std::optional<worker::CallResult> Measurement::time_batches() {
    const int ours = std::max(yours_.calls(), yardstick_.calls());
    std::vector<Arrays> inputs;
    for (int k = 0; k < std::max(ours, plain_.calls()); ++k) inputs.push_back(fresh_.next());
    const auto first = [&inputs](int count) {
        return std::span<const Arrays>(inputs).first(static_cast<std::size_t>(count));
    };
    // The first library finds other contents in the caches, so the order alternates.
    const int your_calls = yours_.calls(), plain_calls = plain_.calls();
    const bool yours_first = restarts() % 2 == 0;
    worker::Batch yours;
    if (yours_first) yours = yours_.run(first(your_calls));
    const worker::Batch yardstick = require_passed("the yardstick", yardstick_.run(first(ours)));
    require_passed("the plain loops' library", plain_.run(first(plain_calls)));
    if (!yours_first) yours = yours_.run(first(your_calls));
    return answers_->failure_in(yours, yardstick.outputs);
}

}  // namespace

double least_seconds(const SpeedTask& task) {
    const double computing = task.peak_gflops > 0 ? task.gflop / task.peak_gflops : 0;
    return std::max(computing, output_bytes(task.question) / kMostBytesPerSecond);
}

report::Check judge_speed(const SpeedTask& task) {
    const auto start = worker::Clock::now();
    const auto elapsed_s = [&start] {
        return std::chrono::duration<double>(worker::Clock::now() - start).count();
    };
    Measurement measurement(task);
    report::Interval share;
    int timeouts = 0;
    const auto width = [&share] { return share.high - share.low; };
    const auto is_enough = [&] {
        if (measurement.restarts() < kFewestRestarts) return false;
        share = measurement.share();
        return width() <= kTargetWidth || elapsed_s() >= task.budget_s;
    };
    do {
        if (auto stopped = task.stop()) return failed_check(std::move(*stopped));
        try {
            auto failed = measurement.restart(elapsed_s() > task.budget_s);
            if (failed && (failed->outcome != Outcome::timed_out || ++timeouts > kToleratedTimeouts))
                return failed_check(std::move(*failed));
        } catch (const ReferenceTimeout&) {
            if (++timeouts > kToleratedTimeouts) throw;
        }
    } while (!is_enough());
    report::Speed speed = measurement.result();
    speed.share = std::max(share.value, share.high - kSettled);
    speed.settled = width() <= kSettled;
    speed.sizes = task.question.setting_in_words();
    speed.threads = task.threads;
    speed.gflop = task.gflop;
    speed.workers = static_cast<int>(measurement.restarts());
    report::Check check;
    if (speed.yours_ms * kMilli < least_seconds(task)) {
        check.outcome = Outcome::too_fast;
        check.message = fmt::format(
            "The answers are right, but a call took only {:.3g} ms; this processor needs at least {:.3g} ms.",
            speed.yours_ms, least_seconds(task) / kMilli);
        return check;
    }
    check.outcome = speed.share >= 1 ? Outcome::passed : Outcome::slow;
    check.speed = std::move(speed);
    return check;
}

}  // namespace attn::speed
