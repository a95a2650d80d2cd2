#include "grader/grading/measure.h"

#include <stdexcept>

#include <dlfcn.h>

#include "grader/base/installation.h"
#include "grader/grading/questions.h"
#include "grader/report/speed_text.h"
#include "grader/speed/hot_line.h"
#include "grader/speed/measure_growth.h"
#include "grader/speed/measure_speed.h"
#include "grader/speed/speed_checks.h"

namespace attn {
namespace {

using rubric::PartRubric;
using rubric::Rubric;

constexpr double kGiga = 1e9;

/// The inputs of timed calls do not depend on the seed: see judge::FreshInputs.
constexpr std::uint64_t kNoSeed = 0;

/// The measured check with name, kind and description of the rubric's check.
report::Check with_name_of(report::Check known, report::Check measured) {
    measured.name = std::move(known.name);
    measured.kind = known.kind;
    measured.about = std::move(known.about);
    return measured;
}

/// Starts workers with libraries of the grader.
struct OurWorkers {
    const Rubric& rubric;
    const Installation& installation;
    const worker::Layers& layers;

    speed::Start with(const std::filesystem::path& library) const {
        return [*this, library] {
            return worker::Worker(
                {.program = installation.worker, .library = library, .exports = installation.exports},
                rubric.limits, layers);
        };
    }
};

/// The most that one core of this machine computes with the vector unit of timed code, in 1e9 operations a
/// second. The yardstick measures it (reference/fast/peak.h), once for all assignments.
double peak_gflops(const std::filesystem::path& yardstick) {
    static const double gflops = [&yardstick] {
        void* const library = dlopen(yardstick.c_str(), RTLD_NOW | RTLD_LOCAL);
        void* const symbol = library == nullptr ? nullptr : dlsym(library, "attention_lab_peak_gflops");
        if (symbol == nullptr)
            throw std::runtime_error(yardstick.string() + ": the yardstick cannot be loaded: " + dlerror());
        return reinterpret_cast<double (*)()>(symbol)();
    }();
    return gflops;
}

report::Check measure_speed(const Rubric& rubric, const PartRubric& part, const speed::Start& yours,
                            compile::Builds& timed, const OurWorkers& ours, TimeBudget& budget) {
    const Installation& installation = ours.installation;
    const rubric::SpeedRubric& rules = part.speed.value();
    speed::SpeedTask task;
    static_cast<ask::SpeedTerms&>(task) = rules;
    task.question = speed_question(rubric, part, kNoSeed);
    if (part.function->flop) task.gflop = part.function->flop(rules.sizes) / kGiga;
    task.yours = yours;
    task.stop = [&budget] { return budget.refusal(); };
    task.plain = ours.with(installation.plain);
    task.yardstick = ours.with(installation.yardstick);
    task.peak_gflops = peak_gflops(installation.yardstick) * rules.threads;
    report::Check check = with_name_of(speed::speed_check(part), judge_speed(task));
    if (check.speed) {
        const double times_plain = check.speed->times_plain.value;
        check.speed->scale =
            speed::scale_shown(rules.scale, times_plain / check.speed->times_yardstick.value);
        check.speed->build = speed::timed_build(installation, part.source, rules.threads);
        if (check.speed->share < 1) {
            check.speed->hint =
                speed::hint_for(rules, times_plain, check.speed->yours_ms, timed.of(rubric).library);
            compile::Builds sampled = timed.sampled();
            if (const std::string line = speed::hot_line(sampled, rubric, task.question); !line.empty())
                check.speed->hint += (check.speed->hint.empty() ? "" : " ") + line;
        }
        if (check.outcome == Outcome::slow) check.message = report::in_words(*check.speed);
    }
    return check;
}

report::Check measure_growth(const Rubric& rubric, const PartRubric& part, const speed::Start& yours,
                             const OurWorkers& ours, TimeBudget& budget) {
    speed::GrowthTask task;
    static_cast<ask::GrowthTerms&>(task) = part.growth.value();
    task.question = growth_question(rubric, part, task.lengths.front(), kNoSeed);
    task.yours = yours;
    task.stop = [&budget] { return budget.refusal(); };
    task.plain = ours.with(ours.installation.plain);
    return with_name_of(speed::growth_check(part), judge_growth(task));
}

}  // namespace

std::vector<report::Check> measure(const Rubric& rubric, const PartRubric& part,
                                   const std::vector<std::string>& stand_ins, compile::Builds& timed,
                                   const Installation& installation, TimeBudget& budget) {
    require_built(installation.plain, "the plain loops to compare speed with");
    if (installation.has_yardstick(rubric.module->name))
        require_built(installation.yardstick, "the yardstick of speed");
    const TimeBudget::Use use(budget, "speed of " + part.function->name);
    const report::SourceFile& source = timed.of(rubric).source(part.source);
    if (!source.compiled)
        return speed::unmeasured(part, Outcome::not_compiled,
                                 "It does not compile with the flags for timed code: " + source.messages);
    Rubric of_speed = rubric;
    if (part.speed) of_speed.limits.threads = part.speed->threads;
    std::vector<report::Check> checks;
    const auto ours = [&](const Rubric& rules) { return OurWorkers{rules, installation, timed.layers()}; };
    if (part.speed)
        checks.push_back(measure_speed(
            of_speed, part, [&] { return timed.worker_for(of_speed); }, timed, ours(of_speed), budget));
    if (part.growth)
        checks.push_back(measure_growth(
            rubric, part, [&] { return timed.worker_for(rubric, part, stand_ins); }, ours(rubric), budget));
    return checks;
}

}  // namespace attn
