#include "grader/judge/speed.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "grader/judge/fresh.h"
#include "grader/judge/runner.h"
#include "grader/judge/statistics.h"

namespace attn::judge {
namespace {

constexpr std::size_t kLeastRestarts = 5;
constexpr int kRounds = 2;  ///< batches of each between two restarts
constexpr double kMostBytesPerSecond = 1e12;
constexpr double kMilli = 1e-3;

double output_bytes(const Question& question) {
    double bytes = 0;
    for (const checks::TensorSpec& output : question.function->outputs) {
        const bool wanted =
            question.wanted.empty() ||
            std::find(question.wanted.begin(), question.wanted.end(), output.name) != question.wanted.end();
        if (wanted) bytes += 4 * static_cast<double>(element_count(checks::shape_of(output, question.sizes)));
    }
    return bytes;
}

class Measurement {
  public:
    explicit Measurement(const Contest& contest)
        : contest_(contest),
          fresh_(contest.question, contest.fresh),
          yours_(contest, contest.yours),
          plain_(contest, contest.plain),
          yardstick_(contest, contest.yardstick) {}

    /// Fresh processes for all three, and a few batches of each in turn. What went wrong of the student's.
    std::optional<worker::CallResult> once_more();

    std::size_t restarts() const { return times_plain_.size(); }
    report::Interval times_plain() const { return ratio_interval(times_plain_); }
    report::Interval times_yardstick() const { return ratio_interval(times_yardstick_); }
    double yardstick_times_plain() const { return times_plain().value / times_yardstick().value; }
    double yours_s() const { return median(yours_s_); }
    double plain_s() const { return median(plain_s_); }
    double yardstick_s() const { return median(yardstick_s_); }

  private:
    void learn_units(const Arrays& inputs, const Arrays& plain, const Arrays& yardstick);
    std::optional<worker::CallResult> round();
    std::string difference(const Arrays& got, const Arrays& expected) const;

    const Contest& contest_;
    FreshInputs fresh_;
    Runner yours_, plain_, yardstick_;
    std::vector<double> units_;  ///< for each output its rounding error
    std::vector<double> times_plain_, times_yardstick_, yours_s_, plain_s_, yardstick_s_;
};

/// Ours to answer for.
worker::Batch trusted(const char* who, worker::Batch batch) {
    if (batch.call.outcome != Outcome::passed)
        throw std::runtime_error(
            fmt::format("{} cannot be timed: {}; build the grader again", who, batch.call.detail));
    return batch;
}

std::optional<worker::CallResult> Measurement::once_more() {
    const Arrays first = fresh_.next();
    const worker::Batch yardstick = trusted("the yardstick", yardstick_.restart(first));
    const worker::Batch plain = trusted("the plain loops' library", plain_.restart(first));
    if (units_.empty()) learn_units(first, plain.outputs.front(), yardstick.outputs.front());
    if (worker::Batch yours = yours_.restart(first); yours.call.outcome != Outcome::passed) return yours.call;
    for (int k = 0; k < kRounds; ++k)
        if (auto failed = round()) return failed;
    yours_s_.push_back(yours_.call_s());
    plain_s_.push_back(plain_.call_s());
    yardstick_s_.push_back(yardstick_.call_s());
    times_plain_.push_back(plain_s_.back() / yours_s_.back());
    times_yardstick_.push_back(yardstick_s_.back() / yours_s_.back());
    return std::nullopt;
}

// The truth of timed calls is the yardstick's answer to the same inputs, which costs nothing more. How far
// that is from the plain loops in double, and they from theirs in float, is looked at once.
void Measurement::learn_units(const Arrays& inputs, const Arrays& plain, const Arrays& yardstick) {
    const checks::Function& function = *contest_.question.function;
    const Arrays truth_f64 = evaluate(function, inputs, checks::Precision::f64);
    const Arrays truth_f32 = evaluate(function, inputs, checks::Precision::f32);
    for (std::size_t k = 0; k < plain.size(); ++k) {
        const auto named = [&](const Arrays& all) -> const Array& {
            return *std::find_if(all.begin(), all.end(),
                                 [&](const Array& a) { return a.name == plain[k].name; });
        };
        units_.push_back(yardstick_of(named(truth_f64), named(truth_f32)));
        for (const Array* ours : {&plain[k], &yardstick[k]})
            if (!compare(*ours, named(truth_f64), units_[k], contest_.question.allowed_yardsticks).ok)
                throw std::runtime_error(
                    fmt::format("{} of the {} for {} is not the reference's; build the grader again",
                                ours->name, ours == &plain[k] ? "plain loops" : "yardstick", function.name));
    }
}

std::string Measurement::difference(const Arrays& got, const Arrays& expected) const {
    for (std::size_t k = 0; k < got.size(); ++k) {
        // Each of the two may be off by as much.
        const Comparison comparison =
            compare(got[k], expected[k].cast<double>(), units_[k], 2 * contest_.question.allowed_yardsticks);
        if (!comparison.ok)
            return fmt::format("{} was {:.6g}, expected {:.6g}", name_element(got[k], comparison.worst),
                               number_at(got[k], comparison.worst), number_at(expected[k], comparison.worst));
    }
    return {};
}

std::optional<worker::CallResult> Measurement::round() {
    const int ours = std::max(yours_.calls(), yardstick_.calls());
    std::vector<Arrays> inputs;
    for (int k = 0; k < std::max(ours, plain_.calls()); ++k) inputs.push_back(fresh_.next());
    const auto first = [&inputs](int count) {
        return std::vector<Arrays>(inputs.begin(), inputs.begin() + count);
    };
    const auto take = [&](Runner& runner, int calls) {
        worker::Batch batch = runner.run(first(calls));
        if (batch.call.outcome == Outcome::passed) runner.note(batch, calls, plain_.rehearse(first(calls)));
        return batch;
    };
    // Whoever goes first finds other caches; it is not always the same.
    const int your_calls = yours_.calls(), plain_calls = plain_.calls();
    const bool yours_first = restarts() % 2 == 0;
    worker::Batch yours;
    if (yours_first) yours = take(yours_, your_calls);
    const worker::Batch yardstick = trusted("the yardstick", take(yardstick_, ours));
    trusted("the plain loops' library", take(plain_, plain_calls));
    if (!yours_first) yours = take(yours_, your_calls);
    if (yours.call.outcome != Outcome::passed) return yours.call;
    for (std::size_t k = 0; k < yours.outputs.size(); ++k)
        if (const std::string wrong = difference(yours.outputs[k], yardstick.outputs[k]); !wrong.empty())
            return worker::failure(Outcome::wrong, "In a timed call " + wrong + ".");
    return std::nullopt;
}

}  // namespace

double least_seconds(const Contest& contest) {
    const double computing = contest.peak_gflops > 0 ? contest.gflop / contest.peak_gflops : 0;
    return std::max(computing, output_bytes(contest.question) / kMostBytesPerSecond);
}

report::Check judge_speed(const Contest& contest) {
    report::Check check;
    check.name = check.kind = "speed";
    check.about = contest.question.about();
    const auto start = worker::Clock::now();
    const auto elapsed_s = [&start] {
        return std::chrono::duration<double>(worker::Clock::now() - start).count();
    };
    Measurement measured(contest);
    report::Speed speed;
    speed.sizes = contest.question.setting_in_words();
    speed.threads = contest.threads;
    speed.gflop = contest.gflop;
    for (const Scale::Step& step : contest.scale.steps) speed.scale.push_back({step.times_plain, step.share});
    double best = 0;
    do {
        if (auto failed = measured.once_more()) {
            check.outcome = failed->outcome;
            check.message = failed->detail;
            check.printed = failed->printed;
            return check;
        }
        speed.times_plain = measured.times_plain();
        speed.times_yardstick = measured.times_yardstick();
        const auto share = [&](double times_plain) {
            return share_of(contest.scale, times_plain, measured.yardstick_times_plain());
        };
        speed.share = share(speed.times_plain.value);
        best = share(speed.times_plain.high);
        speed.settled =
            measured.restarts() >= kLeastRestarts && best - share(speed.times_plain.low) <= kSettled;
    } while (!speed.settled && elapsed_s() < contest.budget_s);
    if (!speed.settled) speed.share = best;
    speed.yours_ms = measured.yours_s() / kMilli;
    speed.plain_ms = measured.plain_s() / kMilli;
    speed.yardstick_ms = measured.yardstick_s() / kMilli;
    speed.workers = static_cast<int>(measured.restarts());
    if (measured.yours_s() < least_seconds(contest)) {
        check.outcome = Outcome::too_fast;
        check.message = fmt::format(
            "Right answers in {:.3g} ms a call, where {:.3g} ms is the least that this processor needs.",
            speed.yours_ms, least_seconds(contest) / kMilli);
        return check;
    }
    check.outcome = speed.share >= 1 ? Outcome::passed : Outcome::slow;
    check.speed = std::move(speed);
    return check;
}

}  // namespace attn::judge
