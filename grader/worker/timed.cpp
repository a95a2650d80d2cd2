#include "grader/worker/timed.h"

#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "grader/worker/request.h"
#include "grader/worker/session.h"

namespace attn::worker {
namespace {

/// Time on the wall beyond what it takes to wake up and to be stopped.
bool stolen(double wall_s, double cpu_s) {
    constexpr double kWakingUp_s = 2e-4, kShare = 0.03;
    return wall_s - cpu_s > kWakingUp_s + kShare * wall_s;
}

}  // namespace

// The order is the defence. Stopped while inputs are written, the worker cannot begin before the clock does;
// stopped before outputs are read, it cannot go on after its answer. All processor time that it uses in
// between is counted, whatever it is used for.
Batch Worker::time(std::span<const Call> calls, const Timed& how) {
    if (calls.empty() || calls.size() > static_cast<std::size_t>(kMostCalls))
        throw std::logic_error("a batch of so many calls cannot be timed");
    Layout layout(calls.front().placement, calls_);
    std::vector<LaidOut> batch;
    for (const Call& call : calls) {
        batch.emplace_back(call, ++calls_, layout, layers_);
        Request& request = batch.back().request();
        request.rehearsed = how.rehearsed ? 1 : 0;
        for (WireArgument& argument : request.arguments) argument.populated = 1;
    }
    // For a full batch, lest a longer one ends the process. Pages that nobody touches cost nothing.
    const auto full = [&calls](std::size_t bytes) { return bytes / calls.size() * kMostCalls; };
    reserve(full(layout.input_bytes), full(layout.output_bytes));
    Batch result;
    const auto failed = [&](CallResult call) {
        session_.reset();
        result.call = std::move(call);
        result.outputs.clear();
        return result;
    };
    if (!session_)
        if (CallResult started = start(); started.outcome != Outcome::passed) return failed(started);
    Process& process = session_->process;
    process.forget_printed();
    process.pin(limits_.threads);

    if (how.stopped_while_written && !process.stop())
        return failed(failure(Outcome::exited, "Its process ended between two calls."));
    const Memories memories{*inputs_, *outputs_};
    for (const LaidOut& call : batch) call.write(memories);
    const auto dawdle = [&how] {
        if (how.dawdle_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(how.dawdle_s));
    };
    dawdle();
    const std::size_t switches = process.times_preempted();
    const double cpu_before_s = process.cpu_s();
    const auto start = Clock::now();
    for (const LaidOut& call : batch) post(call.request());
    process.resume();
    for (const LaidOut& call : batch)
        if (CallResult came = receive(call.request().call, call.regions()); came.outcome != Outcome::passed)
            return failed(came);
    if (how.stopped_before_read && !process.stop())
        return failed(failure(Outcome::exited, "Its process ended after its answer."));
    result.cpu_s = process.cpu_s() - cpu_before_s;
    result.wall_s = std::chrono::duration<double>(Clock::now() - start).count();
    result.disturbed = process.times_preempted() == switches && stolen(result.wall_s, result.cpu_s);
    dawdle();
    if (const int threads = process.threads(); threads > limits_.threads)
        return failed(failure(Outcome::too_many_threads,
                              fmt::format("{} threads were at work; {} may be.", threads, limits_.threads)));
    if (how.rehearsed) return result;
    for (const LaidOut& call : batch) {
        CallResult read = call.read(memories);
        if (read.outcome != Outcome::passed) return failed(read);
        result.outputs.push_back(std::move(read.outputs));
    }
    return result;
}

std::size_t Worker::peak_memory_kib() const {
    return session_ ? session_->process.peak_memory_kib() : 0;
}

}  // namespace attn::worker
