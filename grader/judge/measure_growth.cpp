#include "grader/judge/measure_growth.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/judge/fresh_inputs.h"
#include "grader/judge/runner.h"
#include "grader/judge/statistics.h"
#include "grader/report/speed_text.h"

namespace attn::judge {
namespace {

constexpr std::size_t kLeastRestarts = 5, kMostRestarts = 15;
constexpr double kKibInMib = 1024;

using Costs = std::vector<std::vector<double>>;  ///< by length, then by restart

/// The question at one of the lengths.
struct Length {
    Question question;
    FreshInputs fresh;
    Length(const GrowthTask& task, int length) : question(at(task, length)), fresh(question) {}
    static Question at(const GrowthTask& task, int length) {
        Question question = task.question;
        question.sizes = task.sizes_at(std::move(question.sizes), length);
        return question;
    }
};

std::optional<worker::CallResult> failure_in(const worker::Batch& batch) {
    if (batch.call.outcome != Outcome::passed) return batch.call;
    for (const Arrays& outputs : batch.outputs) {
        std::string message;
        if (const Outcome seen = inspect(outputs, message); seen != Outcome::passed)
            return worker::failure(seen, message);
    }
    return std::nullopt;
}

std::optional<worker::CallResult> add_time(const Start& start, Length& length, std::vector<double>& times_s) {
    Runner runner(length.question, start);
    if (auto failed = failure_in(runner.restart(length.fresh.next()))) return failed;
    constexpr int kAttempts = 4;  // to measure an undisturbed batch
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::vector<Arrays> inputs;
        for (int k = runner.calls(); k > 0; --k) inputs.push_back(length.fresh.next());
        const worker::Batch batch = runner.run(inputs);
        if (auto failed = failure_in(batch)) return failed;
        if (!batch.disturbed) break;
    }
    times_s.push_back(runner.last_call_s());
    return std::nullopt;
}

std::optional<worker::CallResult> add_memory(const Start& start, Length& length,
                                             std::vector<double>& memories_mib) {
    worker::Worker worker(start());
    const Question& question = length.question;
    const Arrays inputs = length.fresh.next();
    const std::vector<worker::Call> calls{
        make_call(*question.function, inputs, question.wanted, worker::Placement::ends_at_guard)};
    worker::TimingOptions rehearsed;
    rehearsed.rehearsed = true;
    if (auto failed = failure_in(worker.time(calls, rehearsed))) return failed;
    const auto before = static_cast<double>(worker.peak_memory_kib());
    if (auto failed = failure_in(worker.time(calls))) return failed;
    const double more = (static_cast<double>(worker.peak_memory_kib()) - before) / kKibInMib;
    memories_mib.push_back(std::max(more, kLittleMemory_mib));
    return std::nullopt;
}

/// Fits the exponent for each restart. Reports the median cost of each length.
report::Growth fitted(const GrowthTask& task, const char* what, const Costs& costs, double allowed,
                      double unit) {
    report::Growth growth;
    growth.what = what;
    growth.length = fmt::format("{}", fmt::join(task.letters, " = "));
    growth.lengths = task.lengths;
    growth.allowed = allowed;
    const std::vector<double> lengths(task.lengths.begin(), task.lengths.end());
    std::vector<double> exponents;
    for (std::size_t restart = 0; restart < costs.front().size(); ++restart) {
        std::vector<double> one;
        for (const auto& of_length : costs) one.push_back(of_length[restart]);
        exponents.push_back(growth_exponent(lengths, one));
    }
    growth.exponent = median_interval(exponents);
    for (const auto& of_length : costs) growth.values.push_back(median(of_length) / unit);
    return growth;
}

}  // namespace

report::Check judge_growth(const GrowthTask& task) {
    const auto end = worker::in_seconds(task.budget_s);
    std::vector<std::unique_ptr<Length>> lengths;
    for (const int length : task.lengths) lengths.push_back(std::make_unique<Length>(task, length));
    Costs times(lengths.size()), memories(lengths.size());
    const auto all = [&](auto add, Costs& costs) -> std::optional<worker::CallResult> {
        for (std::size_t restart = 0; restart < kMostRestarts; ++restart) {
            if (restart >= kLeastRestarts && worker::Clock::now() >= end) break;
            for (std::size_t k = 0; k < lengths.size(); ++k)
                if (auto failed = add(task.yours, *lengths[k], costs[k])) return failed;
        }
        return std::nullopt;
    };
    std::optional<worker::CallResult> failed;
    if (task.time > 0) failed = all(add_time, times);
    if (!failed && task.memory > 0) failed = all(add_memory, memories);
    if (failed) return failed_check(std::move(*failed));
    report::Check check;
    if (task.time > 0) check.growth.push_back(fitted(task, "time", times, task.time, kMilli));
    if (task.memory > 0) check.growth.push_back(fitted(task, "memory", memories, task.memory, 1));
    check.outcome = Outcome::passed;
    for (const report::Growth& growth : check.growth) {
        const bool ok = growth.exponent.low <= growth.allowed;  // false for NaN
        if (ok) continue;
        check.outcome = Outcome::slow;
        check.message += (check.message.empty() ? "" : " ") + report::in_words(growth);
    }
    return check;
}

}  // namespace attn::judge
