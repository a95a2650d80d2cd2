#include "grader/judge/measure_speed.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/judge/fresh_inputs.h"
#include "grader/judge/runner.h"
#include "grader/judge/scale.h"
#include "grader/judge/statistics.h"

namespace attn::judge {
namespace {

constexpr std::size_t kFewestRestarts = 6;
constexpr double kTargetWidth = kSettled / 2;  ///< of the interval of the share
constexpr int kToleratedTimeouts = 1;          ///< the machine may have stalled
constexpr int kRounds = 3;                     ///< batches of each library between two restarts
constexpr double kMostBytesPerSecond = 1e12;

double output_bytes(const Question& question) {
    double bytes = 0;
    for (const ask::TensorSpec& output : question.function->outputs) {
        if (is_wanted(question.wanted, output.name))
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
    void measure_rounding(const Arrays& inputs, const Arrays& plain, const Arrays& yardstick);
    std::optional<worker::CallResult> time_batches();
    std::string difference(const Arrays& got, const Arrays& expected) const;

    const SpeedTask& task_;
    FreshInputs fresh_;
    Runner yours_, plain_, yardstick_;
    std::vector<double> rounding_;  ///< the yardstick of each output
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
    for (Runner* runner : {&yours_, &plain_, &yardstick_}) runner->subtract_overhead(overhead_s);
    if (rounding_.empty()) measure_rounding(first, plain.outputs.front(), yardstick.outputs.front());
    if (worker::Batch yours = yours_.restart(first); yours.call.outcome != Outcome::passed) return yours.call;
    for (int k = 0; k < kRounds; ++k)
        if (auto failed = time_batches()) return failed;
    const auto time_s = [accept_disturbed](const Runner& runner) {
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

// Timed answers are compared with the yardstick's answers to the same inputs, which saves time. This function
// checks once that the yardstick and the plain loops agree with the truth, and measures the rounding errors.
void Measurement::measure_rounding(const Arrays& inputs, const Arrays& plain, const Arrays& yardstick) {
    const ask::Function& function = *task_.question.function;
    const Arrays truth_f64 = evaluate(function, inputs, ask::Precision::f64);
    const Arrays truth_f32 = evaluate(function, inputs, ask::Precision::f32);
    for (std::size_t k = 0; k < plain.size(); ++k) {
        const Array& truth = ask::by_name(truth_f64, plain[k].name);
        rounding_.push_back(yardstick_of(truth, ask::by_name(truth_f32, plain[k].name)));
        for (const Array* ours : {&plain[k], &yardstick[k]})
            if (!compare(*ours, truth, rounding_[k], task_.question.allowed_yardsticks).ok)
                throw std::runtime_error(
                    fmt::format("{} of the {} for {} is not the reference's; build the grader again",
                                ours->name, ours == &plain[k] ? "plain loops" : "yardstick", function.name));
    }
}

std::string Measurement::difference(const Arrays& got, const Arrays& expected) const {
    for (std::size_t k = 0; k < got.size(); ++k) {
        // The yardstick's answer may have an error as well, so allow twice as much.
        const Comparison comparison =
            compare(got[k], expected[k].cast<double>(), rounding_[k], 2 * task_.question.allowed_yardsticks);
        if (!comparison.ok)
            return fmt::format("{} was {:.6g}, expected {:.6g}", name_element(got[k], comparison.worst),
                               number_at(got[k], comparison.worst), number_at(expected[k], comparison.worst));
    }
    return {};
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
    if (yours.call.outcome != Outcome::passed) return yours.call;
    for (std::size_t k = 0; k < yours.outputs.size(); ++k)
        if (const std::string wrong = difference(yours.outputs[k], yardstick.outputs[k]); !wrong.empty())
            return worker::failure(Outcome::wrong, "In a timed call " + wrong + ".");
    return std::nullopt;
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

}  // namespace attn::judge
