#include "grader/speed/timed_library.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/speed/statistics.h"

namespace attn::speed {
namespace {

constexpr double kBatch_s = 0.02;
constexpr double kBatchBytes = 16e6;  ///< filling more of them would take longer than the timed calls
constexpr int kRehearsals = 3;

double bytes_of(const Arrays& arrays) {
    double bytes = 0;
    for (const Array& array : arrays) bytes += static_cast<double>(array.bytes());
    return bytes;
}

}  // namespace

worker::Batch TimedLibrary::restart(const Arrays& inputs) {
    call_s_.clear();
    worker_.reset(new worker::Worker(start_()));  // NOLINT(modernize-make-unique): it cannot be moved
    worker::Batch batch = time({&inputs, 1}, guards_);
    last_call_s_ = used_s(batch);
    if (batch.call.outcome != Outcome::passed) return batch;
    call_bytes_ = bytes_of(inputs) + bytes_of(batch.outputs.front());
    return batch;
}

double TimedLibrary::measure_overhead_s(const Arrays& inputs) {
    worker::TimingOptions rehearsed;
    rehearsed.rehearsed = true;
    std::vector<double> used;
    for (int k = 0; k < kRehearsals; ++k) used.push_back(used_s(time({&inputs, 1}, rehearsed)));
    return median(used);
}

int TimedLibrary::calls() const {
    const double wanted = std::ceil(kBatch_s / std::max(last_call_s_, kLeast_s));
    return static_cast<int>(
        std::clamp<double>(std::min(wanted, kBatchBytes / call_bytes_), 1, worker::kMostCalls));
}

worker::Batch TimedLibrary::run(std::span<const Arrays> inputs) {
    worker::Batch batch = time(inputs, guards_);
    last_call_s_ = std::max((used_s(batch) - overhead_s_) / static_cast<double>(inputs.size()), kLeast_s);
    if (!batch.disturbed) call_s_.push_back(last_call_s_);
    return batch;
}

double TimedLibrary::call_s() const {
    return median(call_s_);
}

worker::Batch TimedLibrary::time(std::span<const Arrays> inputs, const worker::TimingOptions& how) {
    std::vector<worker::Call> calls;
    for (const Arrays& each : inputs)
        calls.push_back(
            judge::make_call(*question_.function, each, question_.wanted, worker::Placement::ends_at_guard));
    return worker_->time(calls, how);
}

double TimedLibrary::used_s(const worker::Batch& batch) const {
    // With several threads the wall time counts, because their processor time is spent in parallel.
    return threads_ == 1 ? batch.cpu_s : batch.wall_s;
}

report::Check failed_check(worker::CallResult failed) {
    report::Check check;
    check.outcome = failed.outcome;
    check.message = std::move(failed.detail);
    check.printed = std::move(failed.printed);
    return check;
}

}  // namespace attn::speed
