#include "grader/worker/timed.h"

#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "grader/worker/processors.h"
#include "grader/worker/request.h"
#include "grader/worker/session.h"

namespace attn::worker {
namespace {

/// Time on the wall beyond what it takes to wake up and to be stopped.
bool stolen(double wall_s, double cpu_s, double waited_s) {
    constexpr double kWakingUp_s = 2e-4, kShare = 0.03;
    return wall_s - cpu_s - waited_s > kWakingUp_s + kShare * wall_s;
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
    std::vector<Region> regions;
    for (const Call& call : calls) {
        batch.emplace_back(call, ++calls_, layout, layers_);
        for (WireArgument& argument : batch.back().request().arguments) argument.populated = 1;
        regions.insert(regions.end(), batch.back().regions().begin(), batch.back().regions().end());
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
    const cpu_set_t processors = last_processors(limits_.threads);
    process.pin(processors);
    const Neighbour beside(processors);
    Request request = batch.back().request();
    const auto ask = [&](Step step) {
        request.step = step;
        post(request);
        return receive(request.call, regions);
    };

    for (const LaidOut& call : batch) {
        request = call.request();
        if (CallResult came = ask(Step::prepare); came.outcome != Outcome::passed) return failed(came);
    }
    if (how.stopped_while_written && !process.stop())
        return failed(failure(Outcome::exited, "Its process ended between two calls."));
    const Memories memories{*inputs_, *outputs_};
    for (const LaidOut& call : batch) call.write(memories);
    const auto dawdle = [&how] {
        if (how.dawdle_s > 0) std::this_thread::sleep_for(std::chrono::duration<double>(how.dawdle_s));
    };
    dawdle();
    const double waited_before_s = process.waited_s(), cpu_before_s = process.cpu_s();
    const auto start = Clock::now();
    process.resume();
    if (CallResult came = ask(how.rehearsed ? Step::rehearse : Step::run); came.outcome != Outcome::passed)
        return failed(came);
    if (how.stopped_before_read && !process.stop())
        return failed(failure(Outcome::exited, "Its process ended after its answer."));
    result.cpu_s = process.cpu_s() - cpu_before_s;
    result.wall_s = std::chrono::duration<double>(Clock::now() - start).count();
    result.disturbed = stolen(result.wall_s, result.cpu_s, process.waited_s() - waited_before_s);
    dawdle();
    if (const int threads = process.threads(); threads > limits_.threads)
        return failed(failure(Outcome::too_many_threads,
                              fmt::format("{} threads were at work; {} may be.", threads, limits_.threads)));
    if (!how.rehearsed)
        for (const LaidOut& call : batch) {
            CallResult read = call.read(memories);
            if (read.outcome != Outcome::passed) return failed(read);
            result.outputs.push_back(std::move(read.outputs));
        }
    process.resume();
    if (CallResult came = ask(Step::release); came.outcome != Outcome::passed) return failed(came);
    return result;
}

std::size_t Worker::peak_memory_kib() const {
    return session_ ? session_->process.peak_memory_kib() : 0;
}

}  // namespace attn::worker
