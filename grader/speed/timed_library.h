#pragma once
/// Times one library in processes of its own.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/report/report.h"
#include "grader/speed/measure_speed.h"

namespace attn::speed {

/// Lower bound of a measured time, in seconds.
inline constexpr double kLeast_s = 1e-7;

class TimedLibrary {
  public:
    /// Calls `question` in workers that `start` starts. Both must outlive this object.
    TimedLibrary(const judge::Question& question, const Start& start, int threads = 1,
                 const worker::TimingOptions& guards = {})
        : question_(question), start_(start), threads_(threads), guards_(guards) {}

    /// Starts a new process and makes one call. Returns this call for the caller to check.
    worker::Batch restart(const Arrays& inputs);

    /// The time of a batch without its calls, in seconds. Measure it with a library of the grader only: a
    /// submission could make it longer, because it is subtracted.
    double measure_overhead_s(const Arrays& inputs);
    /// From now on this time is subtracted from every batch.
    void subtract_overhead(double overhead_s) { overhead_s_ = overhead_s; }

    /// The number of calls that make a batch long enough to be timed, estimated from the last batch. Fewer if
    /// their arrays would be too large.
    int calls() const;

    /// Times one call for each of these inputs.
    worker::Batch run(std::span<const Arrays> inputs);

    /// Time of one call since the last restart, in seconds: the median of the undisturbed batches. NaN if
    /// there are none.
    double call_s() const;
    /// Time of one call in the last batch, disturbed or not, in seconds.
    double last_call_s() const { return last_call_s_; }

  private:
    worker::Batch time(std::span<const Arrays> inputs, const worker::TimingOptions& how);
    double used_s(const worker::Batch& batch) const;
    const judge::Question& question_;
    const Start& start_;
    int threads_;
    worker::TimingOptions guards_;
    std::unique_ptr<worker::Worker> worker_;
    std::vector<double> call_s_;
    double overhead_s_ = 0;
    double last_call_s_ = 0;
    double call_bytes_ = 1;
};

/// The check of a measurement in which a call failed.
report::Check failed_check(worker::CallResult failed);

}  // namespace attn::speed
