#include "grader/grading/kernel_checks.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/compile/kernel_builds.h"
#include "grader/diagnosis/numeric.h"
#include "grader/grading/judge_part.h"
#include "grader/grading/mended_kernels.h"
#include "grader/grading/progress_text.h"
#include "grader/grading/questions.h"
#include "grader/judge/kernel_mistakes.h"
#include "grader/judge/kernel_student.h"

namespace attn {
namespace {

using rubric::CudaRubric;
using rubric::PartRubric;
using rubric::Rubric;

/// Turns the check of a case into a check of kernels.
report::Check as_kernel_check(report::Check check) {
    check.name.insert(0, report::kKernelsCase);
    check.kind = report::CheckKind::cuda;
    return check;
}

/// Whether the order of threads decides the result. A call gave other bits in another order; if the first
/// order gives the first bits again, the order is the reason.
bool order_decides(const judge::Question& question, const judge::Verdict& verdict,
                   const judge::CallFunction& numbers) {
    const worker::CallResult again =
        numbers(*question.function, verdict.inputs, question.wanted, worker::Placement::ends_at_guard);
    return again.outcome == Outcome::passed &&
           std::ranges::equal(again.outputs, verdict.got, judge::same_bits);
}

std::vector<report::Check> judge_kernels(const Rubric& rubric, const PartRubric& part,
                                         const GradeOptions& options, judge::KernelStudent& kernels,
                                         TimeBudget& budget) {
    const judge::CallFunction numbers = budget.limited(
        [&kernels](const auto&... arguments) { return kernels.numbers(arguments...); }, "kernels");
    diagnosis::NumericResult judged = diagnosis::judge_numeric(kernel_questions(rubric, part, options.seed),
                                                               budget.limited(std::ref(kernels), "kernels"));
    // If the emulator found an error, that must be fixed first. A smallest case of wrong numbers would not
    // help.
    const bool found = std::ranges::any_of(
        judged.verdicts, [](const auto& verdict) { return verdict.outcome == Outcome::kernel_error; });
    keep_back(judged.questions, part, options.secret);
    if (!found) diagnosis::illustrate(judged, numbers, rubric.hints, budget.searches);
    std::vector<report::Check> checks;
    for (std::size_t k = 0; k < judged.checks.size(); ++k) {
        const judge::Verdict& verdict = judged.verdicts[k];
        if (verdict.outcome != Outcome::not_deterministic ||
            order_decides(judged.questions[k], verdict, numbers))
            judge::name_kernel_mistake(verdict, judged.checks[k]);
        checks.push_back(as_kernel_check(std::move(judged.checks[k])));
    }
    return checks;
}

bool nothing_written(const std::vector<report::Check>& checks) {
    return std::all_of(checks.begin(), checks.end(),
                       [](const report::Check& check) { return check.outcome == Outcome::not_implemented; });
}

bool has_kernel_checks(const report::Part& part) {
    return std::any_of(part.checks.begin(), part.checks.end(), report::is_kernel_check);
}

/// Adds a hint to failed checks if an earlier function has wrong kernels: the failure may come from there.
/// The hint uses only fully disclosed checks, so that it reveals nothing about hidden ones.
void add_builds_on_hint(const Rubric& rubric, const PartRubric& rules, bool secret,
                        const std::vector<report::Part>& parts, std::vector<report::Check>& checks) {
    std::vector<std::string> wrong;
    for (const PartRubric& earlier : rubric.parts) {
        const std::string& name = earlier.function->name;
        const auto part = std::ranges::find(parts, name, &report::Part::function);
        const auto fails = [&](const report::Check& check) {
            return report::is_kernel_check(check) && check.outcome != Outcome::passed &&
                   earlier.disclosure_of(check.name, secret) == report::Disclosure::full;
        };
        if (std::ranges::find(rules.builds_on, name) != rules.builds_on.end() && part != parts.end() &&
            std::ranges::any_of(part->checks, fails))
            wrong.push_back(name);
    }
    if (wrong.empty()) return;
    for (report::Check& check : checks)
        if (check.outcome != Outcome::passed && check.outcome != Outcome::not_implemented)
            check.message += fmt::format(" (First fix the kernels of {}, which this may build on.)",
                                         fmt::join(wrong, " and "));
}

/// The reason why kernels cannot be graded on this machine. Empty if they can be graded.
std::string why_no_kernels(const Installation& installation) {
    return installation.emulator_library.empty() ? "the emulator of a GPU needs g++ and an x86-64 processor"
                                                 : std::string();
}

bool has_kernels(const Rubric& rubric) {
    return rubric.cuda && std::any_of(rubric.parts.begin(), rubric.parts.end(),
                                      [](const PartRubric& part) { return part.cuda_points > 0; });
}

}  // namespace

judge::LineResolvers line_resolvers(const Rubric& rubric, compile::KernelBuilds& kernels) {
    const auto in = [&rubric, &kernels](compile::Kernels how) {
        return [&kernels, libraries = kernels.libraries_of(rubric, how)](const std::string& finding) {
            return kernels.resolve(libraries, finding);
        };
    };
    return {in(compile::Kernels::fast), in(compile::Kernels::watched)};
}

void add_kernel_checks(const Rubric& rubric, const GradeOptions& options, compile::KernelBuilds& kernels,
                       TimeBudget& budget, report::Assignment& assignment) {
    if (!options.kernels || !has_kernels(rubric) || !why_no_kernels(options.installation).empty()) return;
    const bool always = rubric.cuda->counted == CudaRubric::Counted::always;
    if (!kernels.begun(rubric) && !always) return;
    const report::SourceFile source = [&] {
        const TimeBudget::Use use(budget, "compiling the kernels");
        return kernels.source(rubric);
    }();
    assignment.sources.push_back(source);
    std::vector<std::vector<report::Check>> checks(rubric.parts.size());
    if (source.compiled) {
        compile::KernelWorkers workers = kernels.workers_for(rubric);
        judge::KernelStudent student(workers.fast, workers.watched, line_resolvers(rubric, kernels));
        for (std::size_t p = 0; p < checks.size(); ++p) {
            const PartRubric& rules = rubric.parts[p];
            options.progress(progress_text(rubric, p, "kernels of " + rules.function->name));
            if (rules.cuda_points > 0) checks[p] = judge_kernels(rubric, rules, options, student, budget);
        }
        const auto judge_mended = [&](compile::KernelBuilds& mended, std::size_t p) {
            compile::KernelWorkers others = mended.workers_for(rubric);
            judge::KernelStudent with_barriers(others.fast, others.watched, line_resolvers(rubric, mended));
            return judge_kernels(rubric, rubric.parts[p], options, with_barriers, budget);
        };
        std::vector<RaceCharge> charges = charge_races_once(rubric, kernels, budget, judge_mended, checks);
        for (std::size_t p = 0; p < checks.size(); ++p) {
            assignment.parts[p].race_charged_at = std::move(charges[p].charged_at);
            assignment.parts[p].added_barriers = std::move(charges[p].barriers);
        }
    } else {
        for (std::size_t p = 0; p < checks.size(); ++p)
            if (const PartRubric& rules = rubric.parts[p]; rules.cuda_points > 0)
                for (report::Check& check : not_compiled(rules.cuda_cases, source))
                    checks[p].push_back(as_kernel_check(std::move(check)));
    }
    if (!always && std::all_of(checks.begin(), checks.end(), nothing_written)) return;
    for (std::size_t p = 0; p < checks.size(); ++p) {
        add_builds_on_hint(rubric, rubric.parts[p], options.secret, assignment.parts, checks[p]);
        auto& all = assignment.parts[p].checks;
        all.insert(all.end(), checks[p].begin(), checks[p].end());
    }
}

bool kernels_count(const Rubric& rubric, const report::Assignment& assignment) {
    if (!has_kernels(rubric) || rubric.cuda->counted == CudaRubric::Counted::never) return false;
    return std::ranges::any_of(assignment.parts, has_kernel_checks);
}

std::vector<std::string> kernels_left_out(const std::vector<const Rubric*>& rubrics,
                                          const GradeOptions& options, const compile::Builds& builds,
                                          const std::vector<report::Assignment>& assignments) {
    if (!options.kernels) return {};
    std::vector<std::string> files;
    for (std::size_t k = 0; k < rubrics.size(); ++k)
        if (has_kernels(*rubrics[k]) && builds.has(rubrics[k]->cuda->source) &&
            !report::not_begun(assignments[k]) &&
            std::ranges::none_of(assignments[k].parts, has_kernel_checks))
            files.push_back(rubrics[k]->cuda->source);
    if (files.empty()) return {};
    if (const std::string why = why_no_kernels(options.installation); !why.empty())
        return {fmt::format("CUDA: skipped and not counted: {} ({})", fmt::join(files, ", "), why)};
    return {fmt::format("CUDA: not begun, so not counted: {}", fmt::join(files, ", "))};
}

}  // namespace attn
