#include "grader/kernel_checks.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/judge/kernel_mistakes.h"
#include "grader/judge/kernels.h"
#include "grader/judge/numeric.h"
#include "grader/questions.h"
#include "grader/submission/kernel_builds.h"

namespace attn {
namespace {

using submission::CudaRubric;
using submission::PartRubric;
using submission::Rubric;

/// A case's check, as one of the part's kernels.
report::Check as_kernel_check(report::Check check) {
    check.name.insert(0, report::kKernelsCase);
    check.kind = "cuda";
    return check;
}

std::vector<report::Check> judge_kernels(const Rubric& rubric, const PartRubric& part, std::uint64_t seed,
                                         const judge::Ask& ask) {
    judge::Numeric judged = judge::judge_numeric(kernel_questions(rubric, part, seed), ask);
    // Numbers that a race or a stray access has made tell of no other mistake.
    const bool found = std::ranges::any_of(
        judged.verdicts, [](const auto& verdict) { return verdict.outcome == Outcome::kernel_error; });
    if (!found) judge::illustrate(judged, ask);
    std::vector<report::Check> checks;
    for (std::size_t k = 0; k < judged.checks.size(); ++k) {
        if (found) judged.checks[k].diagnosis.reset();
        judge::name_kernel_mistake(judged.verdicts[k], judged.checks[k]);
        checks.push_back(as_kernel_check(std::move(judged.checks[k])));
    }
    return checks;
}

/// The same checks where the file does not compile, or is not there.
std::vector<report::Check> not_run(const Rubric& rubric, const PartRubric& part, Outcome outcome,
                                   const std::string& why) {
    std::vector<report::Check> checks;
    for (const submission::CaseRubric& c : part.cuda_cases) {
        report::Check check;
        check.name = c.name;
        check.about = numeric_question(rubric, part, c, 0).about();
        check.outcome = outcome;
        check.message = why;
        checks.push_back(as_kernel_check(std::move(check)));
    }
    return checks;
}

bool nothing_written(const std::vector<report::Check>& checks) {
    return std::all_of(checks.begin(), checks.end(),
                       [](const report::Check& check) { return check.outcome == Outcome::not_implemented; });
}

/// Who builds on a function that is wrong may be right itself.
void say_what_it_builds_on(const PartRubric& rules, const std::vector<report::Part>& parts,
                           std::vector<report::Check>& checks) {
    std::vector<std::string> wrong;
    for (const report::Part& earlier : parts)
        if (std::find(rules.builds_on.begin(), rules.builds_on.end(), earlier.function) !=
                rules.builds_on.end() &&
            std::any_of(earlier.checks.begin(), earlier.checks.end(), [](const report::Check& check) {
                return report::is_of_kernels(check) && check.outcome != Outcome::passed;
            }))
            wrong.push_back(earlier.function);
    if (wrong.empty()) return;
    for (report::Check& check : checks)
        if (check.outcome != Outcome::passed && check.outcome != Outcome::not_implemented)
            check.message += fmt::format(" (First mend the kernels of {}, which this may build on.)",
                                         fmt::join(wrong, " and "));
}

/// Empty where kernels can be graded on this machine.
std::string why_no_kernels(const Installation& installation) {
    return installation.emulator_library.empty() ? "the emulator of a GPU runs on x86-64 processors only"
                                                 : std::string();
}

bool asks_for_kernels(const Rubric& rubric) {
    return rubric.cuda && std::any_of(rubric.parts.begin(), rubric.parts.end(),
                                      [](const PartRubric& part) { return part.cuda_points > 0; });
}

}  // namespace

void add_kernel_checks(const Rubric& rubric, const GradeOptions& options, submission::KernelBuilds& kernels,
                       report::Assignment& assignment) {
    if (!asks_for_kernels(rubric) || !why_no_kernels(options.installation).empty()) return;
    const bool always = rubric.cuda->counted == CudaRubric::Counted::always;
    if (!kernels.has(rubric) && !always) return;
    const report::SourceFile source = kernels.source(rubric);
    assignment.sources.push_back(source);
    std::vector<std::vector<report::Check>> checks;
    if (source.compiled) {
        submission::KernelWorkers workers = kernels.workers_for(rubric);
        judge::Kernels ask(workers.fast, workers.watched,
                           [&](const std::string& found) { return kernels.resolve(rubric, found); });
        for (const PartRubric& rules : rubric.parts) {
            options.progress(
                fmt::format("assignment {}: kernels of {}", rubric.number, rules.function->name));
            checks.push_back(rules.cuda_points > 0 ? judge_kernels(rubric, rules, options.seed, std::ref(ask))
                                                   : std::vector<report::Check>());
        }
    } else {
        const std::string why = source.messages.substr(0, source.messages.find('\n'));
        for (const PartRubric& rules : rubric.parts)
            checks.push_back(rules.cuda_points > 0 ? not_run(rubric, rules, Outcome::not_compiled, why)
                                                   : std::vector<report::Check>());
    }
    if (!always && std::all_of(checks.begin(), checks.end(), nothing_written)) return;
    for (std::size_t p = 0; p < checks.size(); ++p) {
        say_what_it_builds_on(rubric.parts[p], assignment.parts, checks[p]);
        auto& all = assignment.parts[p].checks;
        all.insert(all.end(), checks[p].begin(), checks[p].end());
    }
}

bool kernels_count(const Rubric& rubric, const report::Assignment& assignment) {
    if (!asks_for_kernels(rubric) || rubric.cuda->counted == CudaRubric::Counted::never) return false;
    return std::any_of(assignment.parts.begin(), assignment.parts.end(), [](const report::Part& part) {
        return std::any_of(part.checks.begin(), part.checks.end(), report::is_of_kernels);
    });
}

std::vector<std::string> kernels_left_out(const std::vector<const Rubric*>& rubrics,
                                          const GradeOptions& options,
                                          const std::vector<report::Assignment>& assignments) {
    std::vector<std::string> files;
    for (std::size_t k = 0; k < rubrics.size(); ++k) {
        const auto has_some = [](const report::Part& part) {
            return std::any_of(part.checks.begin(), part.checks.end(), report::is_of_kernels);
        };
        const auto& parts = assignments[k].parts;
        if (asks_for_kernels(*rubrics[k]) && std::none_of(parts.begin(), parts.end(), has_some))
            files.push_back(rubrics[k]->cuda->source);
    }
    if (files.empty()) return {};
    if (const std::string why = why_no_kernels(options.installation); !why.empty())
        return {fmt::format("CUDA: skipped, and not counted, is {}: {}", fmt::join(files, ", "), why)};
    return {fmt::format("CUDA: not begun, and so not counted, is {}", fmt::join(files, ", "))};
}

}  // namespace attn
