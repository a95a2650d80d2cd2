#include "grader/grading/replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "grader/ask/module.h"
#include "grader/base/version.h"
#include "grader/compile/build_cache.h"
#include "grader/compile/builds.h"
#include "grader/compile/kernel_builds.h"
#include "grader/diagnosis/make_pictures.h"
#include "grader/grading/crash_lines.h"
#include "grader/grading/handed_in.h"
#include "grader/grading/kernel_checks.h"
#include "grader/grading/mended_kernels.h"
#include "grader/grading/questions.h"
#include "grader/judge/answer.h"
#include "grader/judge/kernel_mistakes.h"
#include "grader/judge/kernel_student.h"
#include "grader/judge/property.h"
#include "grader/report/text.h"
#include "grader/sandbox/layers.h"

namespace attn {

namespace {

using rubric::PartRubric;
using rubric::Rubric;

[[noreturn]] void gone(const report::RecordedCheck& recorded, const std::string& what) {
    throw UserError(fmt::format("{}: there is no {} any more; the rubric has changed since, so grade again",
                                recorded.check.id, what));
}

/// A pointer, because some versions of g++ take a returned reference for one into the temporary arguments.
template <class Items, class F>
const auto* find_or_refuse(const Items& items, const report::RecordedCheck& recorded, const std::string& what,
                           F is_it) {
    const auto found = std::find_if(items.begin(), items.end(), is_it);
    if (found == items.end()) gone(recorded, what);
    return &*found;
}

/// The outputs with the first of the diagnosed mistakes. Nothing if the mistake is impossible with these
/// inputs.
std::optional<Arrays> with_the_mistake(const report::RecordedCheck& recorded, const judge::Question& question,
                                       const Arrays& inputs, Replay& replay) {
    if (recorded.mistakes.empty()) return std::nullopt;
    std::vector<int> made;
    std::string words;
    for (const std::string& name : recorded.mistakes.front()) {
        const auto& all = question.module->mistakes;
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&name](const auto& mistake) { return mistake.name == name; });
        if (found == all.end()) return std::nullopt;
        made.push_back(static_cast<int>(found - all.begin()));
        words += (words.empty() ? "" : ", and ") + found->when;
    }
    auto outputs = question.module->mistaken(*question.function, inputs, ask::Precision::f32)(made);
    if (recorded.mistakes.size() > 1)
        words += fmt::format(" (the first of {} causes that the numbers do not tell apart)",
                             recorded.mistakes.size());
    if (outputs) replay.mistake = words;
    return outputs;
}

void replay_case(const report::RecordedCheck& recorded, const judge::Question& question,
                 const judge::CallFunction& call, Replay& replay) {
    const judge::Verdict verdict = judge::answer_twice(question, call);
    replay.about = question.about();
    replay.outcome = verdict.outcome;
    replay.message = verdict.message;
    replay.printed = verdict.printed;
    replay.lines = verdict.lines;
    replay.runs = {verdict.inputs};
    if (verdict.got.empty() || verdict.truth_f64.empty()) return;
    replay.pictures = diagnosis::pictures_of(question, verdict, diagnosis::Drawn::all);
    replay.photograph = diagnosis::photograph_of(question, verdict);
    const auto mistaken = with_the_mistake(recorded, question, verdict.inputs, replay);
    for (std::size_t k = 0; k < verdict.got.size(); ++k) {
        const Array &got = verdict.got[k], &truth = verdict.truth_f64[k];
        const auto comparison = judge::compare(got, truth, verdict.units[k], question.allowed_yardsticks);
        Sides sides{got.name + " yours", "expected", got, truth, comparison};
        if (mistaken)
            for (const Array& array : *mistaken)
                if (array.name == got.name) sides.mistaken = array;
        replay.sides.push_back(std::move(sides));
    }
}

void replay_property(const judge::Question& question, const ask::Property& property,
                     const judge::CallFunction& call, Replay& replay) {
    const report::Check check = judge::judge_properties(question, {&property}, call).front();
    const judge::PropertyRun run = judge::run_property(question, property, call);
    replay.about = property.statement;
    replay.outcome = check.outcome;
    replay.message = check.message;
    replay.printed = check.printed;
    replay.lines = check.lines;
    replay.runs = run.runs;
    for (std::size_t k = 0; k < run.yours.size(); ++k) {
        const ask::Relation& pair = run.yours[k];
        const judge::Comparison& comparison = run.comparisons[k];
        replay.sides.push_back({pair.left, pair.right, pair.left_values, pair.right_values, comparison});
        replay.pictures.push_back(diagnosis::picture_of(pair.left_values, pair.right_values, comparison));
        replay.pictures.back().array = replay.pictures.back().yours.name = pair.left;
        replay.pictures.back().expected.name = pair.right;
    }
}

void require_compiled(const report::SourceFile& source) {
    if (!source.compiled)
        throw UserError(source.name + " does not compile:\n" + report::quote_lines(source.messages));
}

void replay_kernels(const report::RecordedCheck& recorded, const Rubric& rubric, const PartRubric& part,
                    const compile::Builds& builds, Replay& replay) {
    const auto& rules =
        *find_or_refuse(part.cuda_cases, recorded, "check " + recorded.check.name, [&](const auto& each) {
            return recorded.check.name == std::string(report::kKernelsCase) + each.name;
        });
    compile::KernelBuilds original(builds);
    std::optional<MendedKernels> mended;
    if (!recorded.added_barriers.empty()) mended.emplace(original, recorded.added_barriers);
    compile::KernelBuilds& kernels = mended ? mended->builds() : original;
    require_compiled(kernels.source(rubric));
    compile::KernelWorkers workers = kernels.workers_for(rubric);
    judge::KernelStudent student(workers.fast, workers.watched, line_resolvers(rubric, kernels));
    replay_case(recorded, numeric_question(rubric, rules, recorded.seed), std::ref(student), replay);
    replay.message = judge::text_of_finding(replay.message);
}

}  // namespace

Replay replay(const report::RecordedCheck& recorded, const std::filesystem::path& submission,
              const Installation& installation) {
    auto rubrics = rubric::read_rubrics(installation.assignments);
    std::vector<const Rubric*> graded;
    for (const Rubric& each : rubrics)
        if (each.number == recorded.assignment) graded.push_back(&each);
    const HandedIn taken = take_in_sources(submission, rubrics, graded);
    compile::BuildOptions options;
    options.cache = compile::default_cache_folder();
    compile::Builds builds(taken.intake.folder, std::move(rubrics), installation, options);
    const Rubric& rubric =
        *find_or_refuse(builds.rubrics(), recorded, fmt::format("assignment {}", recorded.assignment),
                        [&](const Rubric& each) { return each.number == recorded.assignment; });
    const PartRubric& part =
        *find_or_refuse(rubric.parts, recorded, "part " + recorded.function,
                        [&](const PartRubric& each) { return each.function->name == recorded.function; });
    for (const std::string& function : recorded.stand_ins)
        find_or_refuse(part.may_call, recorded, "earlier function " + function,
                       [&](const std::string& each) { return each == function; });
    Replay replay;
    for (const auto* specs : {&part.function->inputs, &part.function->outputs})
        for (const ask::TensorSpec& spec : *specs) replay.letters[spec.name] = spec.dims;
    replay.options = part.function->options;
    if (report::is_kernel_check(recorded.check)) {
        replay_kernels(recorded, rubric, part, builds, replay);
        return replay;
    }
    require_compiled(builds.of(rubric).source(part.source));
    worker::Worker worker = builds.worker_for(rubric, part, recorded.stand_ins);
    judge::Student student(worker);
    compile::Builds watched = builds.watched();
    TimeBudget budget(rubric.budget_s);
    CrashLines lines(watched, rubric, budget);
    const judge::CallFunction call = lines.with_lines(std::ref(student), part, recorded.stand_ins);
    if (recorded.check.kind == report::CheckKind::numeric) {
        const auto& rules =
            *find_or_refuse(part.cases, recorded, "case " + recorded.check.name,
                            [&](const auto& each) { return each.name == recorded.check.name; });
        judge::Question question = numeric_question(rubric, rules, recorded.seed);
        question.pictures = rules.pictures;
        question.look = rules.look;
        replay_case(recorded, question, call, replay);
    } else {
        const auto* property =
            *find_or_refuse(part.properties, recorded, "property " + recorded.check.name,
                            [&](const auto* each) { return each->name == recorded.check.name; });
        replay_property(property_question(rubric, part, recorded.seed), *property, call, replay);
    }
    return replay;
}

namespace {

constexpr std::size_t kMostNumbers = 4096;  ///< a larger input is shown without its numbers

report::Tensor shown(const Array& array) {
    report::Tensor tensor{array.name, array.shape, {}};
    if (array.count() <= kMostNumbers) tensor.values = array.cast<double>().as<double>();
    return tensor;
}

/// Replaces the recorded results of a check with those of the replay.
void add(const Replay& replay, report::Check& check) {
    check.about = replay.about;
    check.outcome = replay.outcome;
    check.message = replay.message;
    check.printed = replay.printed;
    check.pictures = replay.pictures;
    check.photograph = replay.photograph;
    check.inputs.clear();
    if (replay.runs.empty()) return;
    for (const Array& input : replay.runs.front()) check.inputs.push_back(shown(input));
}

}  // namespace

report::Report explained(const report::RecordedCheck& recorded, const Replay* replay) {
    report::Check check = recorded.check;
    if (replay != nullptr) add(*replay, check);

    report::Part part;
    part.function = recorded.function;
    part.points = check.points;
    part.max_points = check.max_points;
    part.stand_ins = recorded.stand_ins;
    part.checks = {check};

    report::Assignment assignment;
    assignment.number = recorded.assignment;
    assignment.title = "Replay of one check";
    if (const ask::Module* module = ask::module_of(recorded.function)) assignment.name = module->name;
    assignment.points = check.points;
    assignment.max_points = check.max_points;
    assignment.parts = {part};

    report::Report report;
    report.submission = recorded.submission;
    report.seed = recorded.seed;
    report.notes = {replay != nullptr ? "one check, run again" : "one check, as it was measured"};
    report.isolation = worker::describe_isolation({});
    report.grader = version_line(Installation());
    report.next = fmt::format("fix {}. Then: make grade A={}", recorded.function, recorded.assignment);
    report.assignments = {assignment};
    return report;
}

}  // namespace attn
