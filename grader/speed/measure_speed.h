#pragma once
/// Measures the speed of a student's function. Three libraries run in turn on one processor, each in a
/// process of its own: the student's, the plain loops and the yardstick. Only the ratios of their processor
/// times count.

#include <functional>
#include <optional>

#include "grader/ask/measuring.h"
#include "grader/judge/answer.h"
#include "grader/report/report.h"
#include "grader/worker/launch.h"

namespace attn::speed {

/// Starts a worker in a new process.
using Start = std::function<worker::Worker()>;

/// Called between two measurements. A result ends measuring, like a call that failed in this way.
using StopMeasuring = std::function<std::optional<worker::CallResult>()>;

struct SpeedTask : ask::SpeedTerms {
    judge::Question question;
    double gflop = 0;        ///< floating-point operations of one call, in 1e9; 0: unknown
    double peak_gflops = 0;  ///< peak of this processor with these threads, in 1e9 per second; 0: unknown
    Start yours, plain, yardstick;
    StopMeasuring stop = [] { return std::nullopt; };
    // The members below are only for tests of the clock.
    worker::TimingOptions guards = {};
    bool fresh = true;  ///< false: a few inputs are used again and again, unchanged
};

/// A share of the points is settled if its interval is at most this wide.
inline constexpr double kSettled = 0.03;

/// Measures until the interval of the share is half as wide as kSettled, or until the budget is used up. The
/// share that counts is the median, or the upper end of the interval minus kSettled if that is larger. Every
/// call has different inputs, and every answer is compared with the truth. Outcomes: passed (all points),
/// slow (some of the points), wrong or another outcome of a call, too_many_threads, too_fast. The check has
/// no name and no points, and its speed has no scale and no hint, because the rubric knows these. Throws
/// std::runtime_error if the plain loops or the yardstick fail.
report::Check judge_speed(const SpeedTask& task);

/// A lower bound of the time of one call, in seconds: the operations at the processor's peak, or the writing
/// of the outputs at more bytes per second than any processor core can write.
double least_seconds(const SpeedTask& task);

}  // namespace attn::speed
