#include "grader/speed/measure_growth.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "grader/judge/fresh_inputs.h"
#include "grader/speed/growth_of_costs.h"
#include "grader/speed/timed_answers.h"
#include "grader/speed/timed_library.h"

namespace attn::speed {
namespace {

constexpr std::size_t kLeastRestarts = 5, kMostRestarts = 15;
constexpr double kKibInMib = 1024;

/// Calls of a process whose memory is measured: the first one and a later one.
constexpr int kCallsForMemory = 2;

/// Returns a batch of the plain loops. Throws std::runtime_error if it failed.
worker::Batch require_passed(worker::Batch batch) {
    if (batch.call.outcome == Outcome::passed) return batch;
    throw std::runtime_error(fmt::format(
        "the plain loops' library cannot be timed: {} Is this machine too busy?", batch.call.detail));
}

/// Measures at one of the lengths. Each function measures once, in new processes, and returns the student's
/// failed call, if there is one.
class AtLength {
  public:
    AtLength(const GrowthTask& task, int length) : task_(task), question_(task.question) {
        question_.sizes = task.sizes_at(std::move(question_.sizes), length);
        fresh_ = std::make_unique<judge::FreshInputs>(question_);
    }

    std::optional<worker::CallResult> add_time();
    std::optional<worker::CallResult> add_memory();

    std::vector<double> times_s, plain_s, memories_mib, plain_mib;  ///< by restart

  private:
    /// The batch of the plain loops, whose first answer to these inputs is compared with the truth once.
    worker::Batch compared(worker::Batch batch, const Arrays& inputs) {
        require_passed(batch);
        if (answers_) return batch;
        answers_.emplace(question_, inputs);
        answers_->require_right("plain loops", batch.outputs.front());
        return batch;
    }

    const GrowthTask& task_;
    judge::Question question_;
    std::unique_ptr<judge::FreshInputs> fresh_;
    std::optional<TimedAnswers> answers_;
};

std::optional<worker::CallResult> AtLength::add_time() {
    TimedLibrary yours(question_, task_.yours), plain(question_, task_.plain);
    const Arrays first = fresh_->next();
    const worker::Batch of_plain = compared(plain.restart(first), first);
    if (auto failed = answers_->failure_in(yours.restart(first), of_plain.outputs)) return failed;
    const double overhead_s = plain.measure_overhead_s(first);
    for (TimedLibrary* runner : {&yours, &plain}) runner->subtract_overhead(overhead_s);
    constexpr int kAttempts = 4;  // to measure undisturbed batches
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::vector<Arrays> inputs;
        for (int k = plain.calls(); k > 0; --k) inputs.push_back(fresh_->next());
        // The plain loops answer each of your calls.
        const auto your_inputs = std::span<const Arrays>(inputs).first(
            std::min(inputs.size(), static_cast<std::size_t>(yours.calls())));
        // The first library finds other contents in the caches, so the order alternates.
        const bool yours_first = times_s.size() % 2 == 0;
        worker::Batch batch, plain_batch;
        if (yours_first) batch = yours.run(your_inputs);
        plain_batch = require_passed(plain.run(inputs));
        if (!yours_first) batch = yours.run(your_inputs);
        if (auto failed = answers_->failure_in(batch, plain_batch.outputs)) return failed;
        if (!batch.disturbed && !plain_batch.disturbed) break;
    }
    times_s.push_back(yours.last_call_s());
    plain_s.push_back(plain.last_call_s());
    return std::nullopt;
}

std::optional<worker::CallResult> AtLength::add_memory() {
    worker::Worker yours(task_.yours()), plain(task_.plain());
    const auto peak_mib = [](const worker::Worker& worker) {
        return static_cast<double>(worker.peak_memory_kib()) / kKibInMib;
    };
    double before = 0;
    for (int k = 0; k < kCallsForMemory; ++k) {
        const Arrays inputs = fresh_->next();
        const std::vector<worker::Call> calls{judge::make_call(*question_.function, inputs, question_.wanted,
                                                               worker::Placement::ends_at_guard)};
        if (k == 0) {
            worker::TimingOptions rehearsed;
            rehearsed.rehearsed = true;
            require_passed(plain.time(calls, rehearsed));
            before = peak_mib(plain);
        }
        const worker::Batch of_plain = compared(plain.time(calls), inputs);
        if (auto failed = answers_->failure_in(yours.time(calls), of_plain.outputs)) return failed;
    }
    const double peak = peak_mib(yours), of_plain = peak_mib(plain);
    if (!(before > 0 && of_plain > 0)) throw std::runtime_error("the memory of a worker cannot be read");
    if (!(peak > 0)) return worker::failure(Outcome::exited, "Its process ended after its reply.");
    memories_mib.push_back(std::max(peak - before, kLittleMemory_mib));
    plain_mib.push_back(std::max(of_plain - before, kLittleMemory_mib));
    return std::nullopt;
}

/// The costs of all lengths.
Costs costs_of(const std::vector<AtLength>& lengths, std::vector<double> AtLength::*which) {
    Costs costs;
    for (const AtLength& length : lengths) costs.push_back(length.*which);
    return costs;
}

}  // namespace

report::Check judge_growth(const GrowthTask& task) {
    const auto end = worker::in_seconds(task.budget_s);
    std::vector<AtLength> lengths;
    for (const int length : task.lengths) lengths.emplace_back(task, length);
    const auto time = [&] {
        return growth_of_time(task, costs_of(lengths, &AtLength::times_s),
                              costs_of(lengths, &AtLength::plain_s));
    };
    const auto memory = [&] {
        return growth_of_memory(task, costs_of(lengths, &AtLength::memories_mib),
                                costs_of(lengths, &AtLength::plain_mib));
    };
    // Measures once at each length, again and again.
    const auto measure = [&](auto add, auto result) -> std::optional<worker::CallResult> {
        for (std::size_t restart = 0; restart < kMostRestarts; ++restart) {
            if (restart >= kLeastRestarts && (worker::Clock::now() >= end || is_settled(result()))) break;
            for (AtLength& length : lengths) {
                if (auto stopped = task.stop()) return stopped;
                if (auto failed = (length.*add)()) return failed;
            }
        }
        return std::nullopt;
    };
    std::vector<report::Growth> measured;
    if (task.time_above_plain > 0) {
        if (auto failed = measure(&AtLength::add_time, time)) return failed_check(std::move(*failed));
        measured.push_back(time());
    }
    if (task.memory > 0) {
        if (auto failed = measure(&AtLength::add_memory, memory)) return failed_check(std::move(*failed));
        measured.push_back(memory());
    }
    return check_of(std::move(measured));
}

}  // namespace attn::speed
