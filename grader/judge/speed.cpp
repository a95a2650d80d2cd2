#include "grader/judge/speed.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/judge/fresh.h"
#include "grader/judge/runner.h"
#include "grader/judge/statistics.h"

namespace attn::judge {
namespace {

constexpr std::size_t kLeast = 6;        ///< restarts
constexpr double kSharp = kSettled / 2;  ///< no wider need the interval of a share be
constexpr int kMostStalls = 1;           ///< nobody's fault, if they come one by one
constexpr int kRounds = 3;               ///< batches of each between two restarts
constexpr double kMostBytesPerSecond = 1e12;

double output_bytes(const Question& question) {
    double bytes = 0;
    for (const ask::TensorSpec& output : question.function->outputs) {
        if (is_wanted(question.wanted, output.name))
            bytes += 4 * static_cast<double>(element_count(ask::shape_of(output, question.sizes)));
    }
    return bytes;
}

/// Of one call.
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

    /// Fresh processes for all three, and a few batches of each in turn. What went wrong of the student's.
    /// It does not count where one of them was disturbed all the time, unless it is to count `whatever`
    /// happens.
    std::optional<worker::CallResult> once_more(bool whatever);

    std::size_t restarts() const { return restarts_.size(); }
    report::Speed result() const;
    /// The share of the points, taken restart by restart: a neighbour who slows all three down at once hardly
    /// shows in it.
    report::Interval share() const;

  private:
    void learn_units(const Arrays& inputs, const Arrays& plain, const Arrays& yardstick);
    std::optional<worker::CallResult> round();
    std::string difference(const Arrays& got, const Arrays& expected) const;

    const SpeedTask& task_;
    FreshInputs fresh_;
    Runner yours_, plain_, yardstick_;
    std::vector<double> units_;  ///< for each output its rounding error
    std::vector<Times> restarts_;
};

/// One of ours took too long to come back. On a machine that stalls for seconds that tells nothing.
struct Stalled : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Ours to answer for.
worker::Batch trusted(const char* who, worker::Batch batch) {
    if (batch.call.outcome == Outcome::passed) return batch;
    if (batch.call.outcome == Outcome::timed_out)
        throw Stalled(
            fmt::format("{} cannot be timed: {} Is this machine too busy?", who, batch.call.detail));
    throw std::runtime_error(
        fmt::format("{} cannot be timed: {}; build the grader again", who, batch.call.detail));
}

std::optional<worker::CallResult> Measurement::once_more(bool whatever) {
    const Arrays first = fresh_.next();
    const worker::Batch yardstick = trusted("the yardstick", yardstick_.restart(first));
    const worker::Batch plain = trusted("the plain loops' library", plain_.restart(first));
    const double besides_s = plain_.rehearsal_s(first);
    for (Runner* runner : {&yours_, &plain_, &yardstick_}) runner->subtract(besides_s);
    if (units_.empty()) learn_units(first, plain.outputs.front(), yardstick.outputs.front());
    if (worker::Batch yours = yours_.restart(first); yours.call.outcome != Outcome::passed) return yours.call;
    for (int k = 0; k < kRounds; ++k)
        if (auto failed = round()) return failed;
    const auto time_s = [whatever](const Runner& runner) {
        return whatever ? runner.rough_s() : runner.call_s();
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

// The truth of timed calls is the yardstick's answer to the same inputs, which costs nothing more. How far
// that is from the plain loops in double, and they from theirs in float, is looked at once.
void Measurement::learn_units(const Arrays& inputs, const Arrays& plain, const Arrays& yardstick) {
    const ask::Function& function = *task_.question.function;
    const Arrays truth_f64 = evaluate(function, inputs, ask::Precision::f64);
    const Arrays truth_f32 = evaluate(function, inputs, ask::Precision::f32);
    for (std::size_t k = 0; k < plain.size(); ++k) {
        const Array& truth = ask::by_name(truth_f64, plain[k].name);
        units_.push_back(yardstick_of(truth, ask::by_name(truth_f32, plain[k].name)));
        for (const Array* ours : {&plain[k], &yardstick[k]})
            if (!compare(*ours, truth, units_[k], task_.question.allowed_yardsticks).ok)
                throw std::runtime_error(
                    fmt::format("{} of the {} for {} is not the reference's; build the grader again",
                                ours->name, ours == &plain[k] ? "plain loops" : "yardstick", function.name));
    }
}

std::string Measurement::difference(const Arrays& got, const Arrays& expected) const {
    for (std::size_t k = 0; k < got.size(); ++k) {
        // Each of the two may be off by as much.
        const Comparison comparison =
            compare(got[k], expected[k].cast<double>(), units_[k], 2 * task_.question.allowed_yardsticks);
        if (!comparison.ok)
            return fmt::format("{} was {:.6g}, expected {:.6g}", name_element(got[k], comparison.worst),
                               number_at(got[k], comparison.worst), number_at(expected[k], comparison.worst));
    }
    return {};
}

std::optional<worker::CallResult> Measurement::round() {
    const int ours = std::max(yours_.calls(), yardstick_.calls());
    std::vector<Arrays> inputs;
    for (int k = 0; k < std::max(ours, plain_.calls()); ++k) inputs.push_back(fresh_.next());
    const auto first = [&inputs](int count) {
        return std::span<const Arrays>(inputs).first(static_cast<std::size_t>(count));
    };
    // Whoever goes first finds other caches; it is not always the same.
    const int your_calls = yours_.calls(), plain_calls = plain_.calls();
    const bool yours_first = restarts() % 2 == 0;
    worker::Batch yours;
    if (yours_first) yours = yours_.run(first(your_calls));
    const worker::Batch yardstick = trusted("the yardstick", yardstick_.run(first(ours)));
    trusted("the plain loops' library", plain_.run(first(plain_calls)));
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
    Measurement measured(task);
    report::Interval share;
    int stalls = 0;
    const auto width = [&share] { return share.high - share.low; };
    const auto measured_enough = [&] {
        if (measured.restarts() < kLeast) return false;
        share = measured.share();
        return width() <= kSharp || elapsed_s() >= task.budget_s;
    };
    do {
        try {
            auto failed = measured.once_more(elapsed_s() > task.budget_s);
            if (failed && (failed->outcome != Outcome::timed_out || ++stalls > kMostStalls))
                return failed_check(std::move(*failed));
        } catch (const Stalled&) {
            if (++stalls > kMostStalls) throw;
        }
    } while (!measured_enough());
    report::Speed speed = measured.result();
    speed.share = std::max(share.value, share.high - kSettled);
    speed.settled = width() <= kSettled;
    speed.sizes = task.question.setting_in_words();
    speed.threads = task.threads;
    speed.gflop = task.gflop;
    speed.workers = static_cast<int>(measured.restarts());
    report::Check check;
    if (speed.yours_ms * kMilli < least_seconds(task)) {
        check.outcome = Outcome::too_fast;
        check.message = fmt::format(
            "Right answers in {:.3g} ms a call, where {:.3g} ms is the least that this processor needs.",
            speed.yours_ms, least_seconds(task) / kMilli);
        return check;
    }
    check.outcome = speed.share >= 1 ? Outcome::passed : Outcome::slow;
    check.speed = std::move(speed);
    return check;
}

}  // namespace attn::judge
