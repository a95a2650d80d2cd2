#include "grader/worker/timed.h"

#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "grader/worker/prepared_call.h"
#include "grader/worker/processors.h"
#include "grader/worker/session.h"

namespace attn::worker {
namespace {

/// Whether more wall-clock time was lost than waking up and stopping the worker takes.
bool was_disturbed(double wall_s, double cpu_s, double waited_s) {
    constexpr double kWakingUp_s = 2e-4, kShare = 0.03;
    return wall_s - cpu_s - waited_s > kWakingUp_s + kShare * wall_s;
}

}  // namespace

// The order of the steps prevents cheating. The worker is stopped while inputs are written, so it cannot
// begin before the clock; it is stopped before outputs are read, so it cannot continue after its reply. All
// processor time in between counts, whatever it is used for.
Batch Worker::time(std::span<const Call> calls, const TimingOptions& options) {
    if (calls.empty() || calls.size() > static_cast<std::size_t>(kMostCalls))
        throw std::logic_error("a batch has to have 1 to " + std::to_string(kMostCalls) + " calls");
    Layout layout(calls.front().placement, calls_);
    std::vector<PreparedCall> batch;
    std::vector<Region> regions;
    for (const Call& call : calls) {
        batch.emplace_back(call, ++calls_, layout, layers_);
        for (WireArgument& argument : batch.back().request().arguments) argument.populated = 1;
        regions.insert(regions.end(), batch.back().regions().begin(), batch.back().regions().end());
    }
    // Reserve memory for a full batch, because larger memories would need a new process. Untouched pages cost
    // nothing.
    const auto full = [&calls](std::size_t bytes) { return bytes / calls.size() * kMostCalls; };
    reserve(full(layout.input_bytes), full(layout.output_bytes));
    if (layers_.has(Layer::poison)) inputs_->keep_only(layout.input_bytes);
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
    const Neighbour neighbour(processors);
    Request request = batch.back().request();
    const auto ask = [&](Step step) {
        request.step = step;
        post(request);
        return receive(request.call, regions);
    };

    for (const PreparedCall& call : batch) {
        request = call.request();
        if (CallResult reply = ask(Step::prepare); reply.outcome != Outcome::passed) return failed(reply);
    }
    if (options.stopped_while_written && !process.stop())
        return failed(failure(Outcome::exited, "Its process ended between two calls."));
    const Memories memories{*inputs_, *outputs_};
    for (const PreparedCall& call : batch) call.write(memories);
    const auto delay_parent = [&options] {
        if (options.parent_delay_s > 0)
            std::this_thread::sleep_for(std::chrono::duration<double>(options.parent_delay_s));
    };
    delay_parent();
    const double waited_before_s = process.schedule().waited_s, cpu_before_s = process.cpu_s();
    const auto start = Clock::now();
    process.resume();
    if (CallResult reply = ask(options.rehearsed ? Step::rehearse : Step::run);
        reply.outcome != Outcome::passed)
        return failed(reply);
    if (options.stopped_before_read && !process.stop())
        return failed(failure(Outcome::exited, "Its process ended after its reply."));
    result.cpu_s = process.cpu_s() - cpu_before_s;
    result.wall_s = std::chrono::duration<double>(Clock::now() - start).count();
    result.disturbed =
        was_disturbed(result.wall_s, result.cpu_s, process.schedule().waited_s - waited_before_s);
    delay_parent();
    if (const int threads = process.threads(); threads > limits_.threads)
        return failed(
            failure(Outcome::too_many_threads,
                    fmt::format("{} threads were running; {} are allowed.", threads, limits_.threads)));
    if (!options.rehearsed)
        for (const PreparedCall& call : batch) {
            CallResult read = call.read(memories);
            if (read.outcome != Outcome::passed) return failed(read);
            result.outputs.push_back(std::move(read.outputs));
        }
    process.resume();
    if (CallResult reply = ask(Step::release); reply.outcome != Outcome::passed) return failed(reply);
    return result;
}

std::size_t Worker::peak_memory_kib() const {
    return session_ ? session_->process.peak_memory_kib() : 0;
}

}  // namespace attn::worker
