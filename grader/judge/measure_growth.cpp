#include "grader/judge/measure_growth.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/judge/fresh_inputs.h"
#include "grader/judge/runner.h"
#include "grader/judge/statistics.h"
#include "grader/judge/timed_answers.h"
#include "grader/report/speed_text.h"

namespace attn::judge {
namespace {

constexpr std::size_t kLeastRestarts = 5, kMostRestarts = 15;
constexpr double kKibInMib = 1024;

using Costs = std::vector<double>;  ///< of one length, by restart

/// Returns a batch of a library of the grader. Throws std::runtime_error if it failed.
worker::Batch require_passed(worker::Batch batch) {
    if (batch.call.outcome == Outcome::passed) return batch;
    throw std::runtime_error(fmt::format(
        "a library of the grader cannot be timed: {} Is this machine too busy?", batch.call.detail));
}

/// Measures at one of the lengths. Each function measures once, in new processes, and returns the student's
/// failed call, if there is one.
class AtLength {
  public:
    AtLength(const GrowthTask& task, int length) : task_(task), question_(task.question) {
        question_.sizes = task.sizes_at(std::move(question_.sizes), length);
        fresh_ = std::make_unique<FreshInputs>(question_);
    }

    std::optional<worker::CallResult> add_time();
    std::optional<worker::CallResult> add_memory();
    /// Times the plain loops at the same length.
    void add_plain_time();

    Costs times_s, plain_s, memories_mib;

  private:
    std::optional<worker::CallResult> failure_in(const worker::Batch& yours, std::span<const Arrays> inputs,
                                                 Runner& expected) {
        if (yours.call.outcome != Outcome::passed) return yours.call;
        return answers_->failure_in(yours, require_passed(expected.run(inputs)).outputs);
    }
    /// Starts a process of the library whose answers are compared with.
    void restart(Runner& expected) {
        const Arrays inputs = fresh_->next();
        const worker::Batch batch = require_passed(expected.restart(inputs));
        if (answers_) return;
        answers_.emplace(question_, inputs);
        answers_->require_right("grader's library", batch.outputs.front());
    }

    const GrowthTask& task_;
    Question question_;
    std::unique_ptr<FreshInputs> fresh_;
    std::optional<TimedAnswers> answers_;
};

std::optional<worker::CallResult> AtLength::add_time() {
    Runner yours(question_, task_.yours), expected(question_, task_.expected);
    restart(expected);
    const Arrays first = fresh_->next();
    if (auto failed = failure_in(yours.restart(first), {&first, 1}, expected)) return failed;
    constexpr int kAttempts = 4;  // to measure an undisturbed batch
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::vector<Arrays> inputs;
        for (int k = yours.calls(); k > 0; --k) inputs.push_back(fresh_->next());
        const worker::Batch batch = yours.run(inputs);
        if (auto failed = failure_in(batch, inputs, expected)) return failed;
        if (!batch.disturbed) break;
    }
    times_s.push_back(yours.last_call_s());
    return std::nullopt;
}

void AtLength::add_plain_time() {
    Runner plain(question_, task_.plain);
    require_passed(plain.restart(fresh_->next()));
    const Arrays inputs = fresh_->next();
    require_passed(plain.run({&inputs, 1}));
    plain_s.push_back(plain.last_call_s());
}

std::optional<worker::CallResult> AtLength::add_memory() {
    worker::Worker worker(task_.yours());
    Runner expected(question_, task_.expected);
    restart(expected);
    const Arrays inputs = fresh_->next();
    const std::vector<worker::Call> calls{
        make_call(*question_.function, inputs, question_.wanted, worker::Placement::ends_at_guard)};
    worker::TimingOptions rehearsed;
    rehearsed.rehearsed = true;
    if (const auto batch = worker.time(calls, rehearsed); batch.call.outcome != Outcome::passed)
        return batch.call;
    const auto before = static_cast<double>(worker.peak_memory_kib());
    if (auto failed = failure_in(worker.time(calls), {&inputs, 1}, expected)) return failed;
    const double more = (static_cast<double>(worker.peak_memory_kib()) - before) / kKibInMib;
    memories_mib.push_back(std::max(more, kLittleMemory_mib));
    return std::nullopt;
}

/// Fits the exponent for each restart. Reports the median cost of each length.
report::Growth fitted(const GrowthTask& task, const char* what, const std::vector<const Costs*>& costs,
                      double allowed, double unit) {
    report::Growth growth;
    growth.what = what;
    growth.length = fmt::format("{}", fmt::join(task.letters, " = "));
    growth.lengths = task.lengths;
    growth.allowed = allowed;
    const std::vector<double> lengths(task.lengths.begin(), task.lengths.end());
    std::vector<double> exponents;
    for (std::size_t restart = 0; restart < costs.front()->size(); ++restart) {
        std::vector<double> one;
        for (const Costs* of_length : costs) one.push_back(of_length->at(restart));
        exponents.push_back(growth_exponent(lengths, one));
    }
    growth.exponent = median_interval(exponents);
    for (const Costs* of_length : costs) growth.values.push_back(median(*of_length) / unit);
    return growth;
}

/// Describes a call at the longest length that takes too long beside the plain loops; empty if it does not.
/// The exponent alone would not show that the short lengths were made slow on purpose.
std::string too_slow_at_the_longest(const GrowthTask& task, const AtLength& longest) {
    std::vector<double> times_plain;
    for (std::size_t restart = 0; restart < longest.times_s.size(); ++restart)
        times_plain.push_back(longest.times_s[restart] / longest.plain_s.at(restart));
    if (median_interval(times_plain).low <= kMostTimesPlain) return {};  // false for NaN
    return fmt::format(
        "At {} = {} a call took {:.3g} ms, {:.1f} times as long as the plain loops; {:g} times is "
        "allowed.",
        fmt::join(task.letters, " = "), task.lengths.back(), median(longest.times_s) / kMilli,
        median(times_plain), kMostTimesPlain);
}

}  // namespace

report::Check judge_growth(const GrowthTask& task) {
    const auto end = worker::in_seconds(task.budget_s);
    std::vector<AtLength> lengths;
    for (const int length : task.lengths) lengths.emplace_back(task, length);
    const auto all = [&](auto add) -> std::optional<worker::CallResult> {
        for (std::size_t restart = 0; restart < kMostRestarts; ++restart) {
            if (restart >= kLeastRestarts && worker::Clock::now() >= end) break;
            for (AtLength& length : lengths) {
                if (auto stopped = task.stop()) return stopped;
                if (auto failed = add(length)) return failed;
            }
        }
        return std::nullopt;
    };
    const auto costs = [&lengths](Costs AtLength::*which) {
        std::vector<const Costs*> of_lengths;
        for (const AtLength& length : lengths) of_lengths.push_back(&(length.*which));
        return of_lengths;
    };
    std::optional<worker::CallResult> failed;
    if (task.time > 0)
        failed = all([&](AtLength& length) {
            if (&length == &lengths.back()) length.add_plain_time();
            return length.add_time();
        });
    if (!failed && task.memory > 0) failed = all([](AtLength& length) { return length.add_memory(); });
    if (failed) return failed_check(std::move(*failed));
    report::Check check;
    if (task.time > 0)
        check.growth.push_back(fitted(task, "time", costs(&AtLength::times_s), task.time, kMilli));
    if (task.memory > 0)
        check.growth.push_back(fitted(task, "memory", costs(&AtLength::memories_mib), task.memory, 1));
    const auto add_reason = [&check](const std::string& reason) {
        check.outcome = Outcome::slow;
        check.message += (check.message.empty() ? "" : " ") + reason;
    };
    check.outcome = Outcome::passed;
    for (const report::Growth& growth : check.growth)
        if (!(growth.exponent.low <= growth.allowed)) add_reason(report::in_words(growth));  // also for NaN
    if (task.time > 0)
        if (const std::string slow = too_slow_at_the_longest(task, lengths.back()); !slow.empty())
            add_reason(slow);
    return check;
}

}  // namespace attn::judge
