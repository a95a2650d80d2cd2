#include "grader/speed/speed_checks.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/compile/compile_sandbox.h"
#include "grader/speed/hot_line.h"
#include "grader/speed/scale.h"
#include "reference/fast/vector_unit.h"

namespace attn::speed {

using rubric::PartRubric;

report::Check speed_check(const PartRubric& part) {
    report::Check check;
    check.name = "speed";
    check.kind = report::CheckKind::speed;
    const int threads = part.speed.value().threads;
    check.about = fmt::format("{}, {} {}", part.speed->about(), threads, threads == 1 ? "thread" : "threads");
    return check;
}

report::Check growth_check(const PartRubric& part) {
    const rubric::GrowthRubric& growth = part.growth.value();
    report::Check check;
    check.name = "growth";
    check.kind = report::CheckKind::growth;
    check.about = fmt::format("{}, {} = {}", growth.recipe->about, fmt::join(growth.letters, " = "),
                              fmt::join(growth.lengths, ", "));
    if (growth.time_above_plain > 0)
        check.about +=
            fmt::format(", time at most N^{:g} more than the plain loops", growth.time_above_plain);
    if (growth.memory > 0) check.about += fmt::format(", memory N^{:g} at most", growth.memory);
    return check;
}

std::vector<report::Check> unmeasured(const PartRubric& part, Outcome outcome, const std::string& why) {
    std::vector<report::Check> checks;
    if (part.speed) checks.push_back(speed_check(part));
    if (part.growth) checks.push_back(growth_check(part));
    for (report::Check& check : checks) {
        check.outcome = outcome;
        check.message = why;
    }
    return checks;
}

std::string not_measured(const PartRubric& rules, const report::Part& part, const std::string& at_all) {
    if (!at_all.empty()) return "Not measured: " + at_all + ".";
    if (rules.speed && !part.stand_ins.empty())
        return fmt::format("Not measured: first {} {} to be right.", fmt::join(part.stand_ins, " and "),
                           part.stand_ins.size() == 1 ? "has" : "have");
    if (!part.mistake_charged_at.empty())
        return fmt::format("Not measured: first {} has to be right.", part.mistake_charged_at);
    return report::all_correct(part) ? "" : "Not measured: first the numbers have to be right.";
}

std::vector<report::ScaleStep> scale_shown(const ask::Scale& scale, double yardstick_times_plain) {
    std::vector<report::ScaleStep> shown;
    for (const ask::Scale::Step& step : steps_that_count(scale, yardstick_times_plain))
        shown.push_back({step.times_plain, step.share});
    return shown;
}

namespace {

constexpr double kMuch = 0.2;  // of the time

/// What the calls of a hint's library function take of the student's time. Empty if it is little or nothing.
std::string measured_for(const rubric::Hint& hint, const ask::Sizes& sizes, double yours_ms,
                         const std::filesystem::path& library) {
    const std::string name = called_in(library, hint.library);
    if (name.empty()) return {};
    double calls = 1;
    for (const std::string& letter : hint.each) calls *= sizes.at(letter);
    constexpr double kNsPerMs = 1e6;
    const double took_ms = calls * call_ns(name) / kNsPerMs;
    if (!(took_ms > kMuch * yours_ms)) return {};
    return fmt::format(
        " (Measured: your code calls {} of the C library. One call for each of {} takes {:.2g} ms on "
        "this machine; your function takes {:.2g} ms.)",
        name, fmt::join(hint.each, " "), took_ms, yours_ms);
}

}  // namespace

std::string hint_for(const rubric::SpeedRubric& speed, double times_plain, double yours_ms,
                     const std::filesystem::path& library) {
    for (const rubric::Hint& hint : speed.hints) {
        if (!(times_plain < hint.below)) continue;
        if (hint.library.empty()) return hint.text;
        const std::string measured = measured_for(hint, speed.sizes, yours_ms, library);
        if (!measured.empty()) return hint.text + measured;
    }
    return {};
}

namespace {

/// The name of the vector unit of an instruction set.
std::string vector_unit_of(const std::string& level) {
    return level.starts_with("armv8") ? "NEON" : std::string(fast::name_of(fast::unit_of(level)));
}

}  // namespace

report::TimedBuild timed_build(const Installation& installation, const std::string& source, int threads) {
    const std::string& level = installation.timed_level;
    report::TimedBuild build;
    build.command =
        fmt::format("{} {} -c {}", std::filesystem::path(installation.compiler).filename().string(),
                    fmt::join(compile::timed_flags(installation), " "), source);
    build.vector_unit = vector_unit_of(level);
    build.allowed = fmt::format(
        "C++20 with its standard library; intrinsics and vector types of {} ({}), but no wider instructions; "
        "#pragma GCC; #pragma omp simd, but no other OpenMP; {}.",
        level, build.vector_unit, threads == 1 ? "one thread" : fmt::format("up to {} threads", threads));
    return build;
}

}  // namespace attn::speed
