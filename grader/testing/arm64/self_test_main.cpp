// arm64_self_test: what a build for ARM has to show on qemu-user. It prints a line for each step and ends
// with code 1 if a step fails. It starts the worker as a call with threads does, because qemu-user needs a
// thread of its own.

#include <functional>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "datasets/file_error.h"
#include "datasets/shipped.h"
#include "datasets/temporary_directory.h"
#include "grader/build/kernel_builds.h"
#include "grader/grading/judge_part.h"
#include "grader/grading/kernel_checks.h"
#include "grader/grading/questions.h"
#include "grader/judge/kernel_student.h"
#include "grader/sandbox/system_calls.h"

namespace attn {
namespace {

constexpr int kThreads = 2;

struct Tally {
    int passed = 0, all = 0;
    std::string first_failure;

    void add(const report::Check& check) {
        ++all;
        if (check.outcome == Outcome::passed)
            ++passed;
        else if (first_failure.empty())
            first_failure = fmt::format("{}: {} {}", check.id, name_of(check.outcome), check.message);
    }
};

Tally judge_all(const submission::Rubric& rubric, worker::Worker worker) {
    Tally tally;
    judge::Student student(worker);
    for (const submission::PartRubric& part : rubric.parts)
        for (const report::Check& check : judge_part(rubric, part, kPublicSeed, std::ref(student)).checks())
            tally.add(check);
    return tally;
}

/// A submission of one file, compiled and judged.
Tally judge_submission(const submission::Rubric& rubric, const Installation& installation,
                       const std::string& text) {
    const data::TemporaryDirectory folder;
    folder.write(rubric.sources.front(), text);
    submission::Builds builds(folder.path(), {rubric}, installation);
    return judge_all(rubric, builds.worker_for(rubric));
}

/// The kernels of layer norm in `text`, judged on the emulator.
Tally judge_kernels(const Installation& installation, const std::string& text) {
    submission::Rubric rubric = submission::read_rubric(installation.assignments / "05_transformer_block");
    rubric.limits.threads = kThreads;
    const data::TemporaryDirectory folder;
    folder.write(rubric.cuda.value().source, text);
    const submission::Builds builds(folder.path(), {rubric}, installation);
    submission::KernelBuilds kernels(builds);
    if (const report::SourceFile source = kernels.source(rubric); !source.compiled)
        return {0, 1, "not compiled: " + source.messages};
    submission::KernelWorkers workers = kernels.workers_for(rubric);
    judge::KernelStudent student(workers.fast, workers.watched, line_resolvers(rubric, kernels));
    Tally tally;
    for (const report::Check& check :
         judge::judge_numeric(kernel_questions(rubric, rubric.parts.front(), kPublicSeed), std::ref(student))
             .checks)
        tally.add(check);
    return tally;
}

bool report_step(const std::string& step, bool ok, const std::string& details = {}) {
    std::cout << fmt::format("{:<6} {}{}{}\n", ok ? "ok" : "FAILED", step, details.empty() ? "" : ": ",
                             details)
              << std::flush;
    return ok;
}

bool full_marks(const std::string& step, const Tally& tally) {
    return report_step(
        step, tally.all > 0 && tally.passed == tally.all,
        fmt::format("{} of {} checks passed {}", tally.passed, tally.all, tally.first_failure));
}

int self_test() {
    const Installation installation;
    data::set_shipped_folder(installation.datasets);
    bool ok = report_step("filter of system calls for compilers", !worker::make_compiler_filter().empty());
    submission::Rubric rubric = submission::read_rubric(installation.assignments / "02_self_attention");
    rubric.limits.threads = kThreads;
    const std::string& module = rubric.module->name;
    const auto library = [&](const std::filesystem::path& file) {
        return worker::Worker(
            {.program = installation.worker, .library = file, .exports = installation.exports_of(module)},
            rubric.limits);
    };
    ok &= full_marks("the plain loops", judge_all(rubric, library(installation.plain_of(module))));
    ok &= full_marks("the yardstick", judge_all(rubric, library(installation.yardstick_of(module))));
    const std::string right = data::read_file(installation.proof_of(module) / "solution.cpp");
    ok &= full_marks("a right submission, compiled here", judge_submission(rubric, installation, right));
    std::string wrong = right;
    const std::string divisor = "std::sqrt(";
    const std::size_t at = wrong.find(divisor);
    if (at != std::string::npos) wrong.insert(at + divisor.size(), "0 * ");
    const Tally tally = judge_submission(rubric, installation, wrong);
    ok &= report_step("a wrong submission loses checks", at != std::string::npos && tally.passed < tally.all,
                      fmt::format("{} of {} passed", tally.passed, tally.all));
    if (!report_step("there is an emulator of CUDA kernels", !installation.emulator_library.empty()))
        return 1;
    std::string kernels = data::read_file(installation.sources / "reference/transformer_block.cu");
    ok &= full_marks("right kernels on the emulator", judge_kernels(installation, kernels));
    for (const std::string barrier = "__syncthreads();"; kernels.find(barrier) != std::string::npos;)
        kernels.erase(kernels.find(barrier), barrier.size());
    const Tally races = judge_kernels(installation, kernels);
    ok &= report_step("kernels without barriers race",
                      races.first_failure.find("Race at ") != std::string::npos, races.first_failure);
    return ok ? 0 : 1;
}

}  // namespace
}  // namespace attn

int main() {
    return attn::self_test();
}
