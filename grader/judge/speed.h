#pragma once
/// How fast is a function? A task of three, each in a process of its own, taken in turn on one processor:
/// the student's, the plain loops and the yardstick. What counts are ratios of processor time within one run.

#include <functional>

#include "grader/judge/answer.h"
#include "grader/judge/measuring.h"
#include "grader/report/report.h"
#include "grader/worker/launch.h"

namespace attn::judge {

/// Makes a worker with a process of its own.
using Start = std::function<worker::Worker()>;

struct SpeedTask : SpeedTerms {
    Question question;
    double gflop = 0;        ///< floating-point operations that one call needs, in 1e9; 0: nobody has counted
    double peak_gflops = 0;  ///< what so many threads can do at most here, in 1e9 a second; 0: not known
    Start yours, plain, yardstick;
    // For tests of the clock itself.
    worker::TimingOptions guards = {};
    bool fresh = true;  ///< false: every call of a kind has the same contents
};

/// A share of the points is settled if its interval is no wider than this.
inline constexpr double kSettled = 0.03;

/// Measures until the share of the points is known to half of that, or the budget is used up. The middle of
/// the interval counts; where that stays wider than what is settled, its better end, less as much.
/// Every call has contents of its own, and every answer is checked. The check has neither name nor points,
/// its speed neither scale nor hint: these are the rubric's. Outcomes: passed (all of the points), slow (some
/// of them), wrong or whatever else became of a call, too_many_threads, too_fast. Throws std::runtime_error
/// where the plain loops or the yardstick fail.
report::Check judge_speed(const SpeedTask& task);

/// No function that does its work is quicker: operations at the processor's peak, or its outputs written at
/// more bytes a second than any processor core writes.
double least_seconds(const SpeedTask& task);

}  // namespace attn::judge
