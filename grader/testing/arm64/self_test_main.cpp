// arm64_self_test: what a build for ARM has to show on qemu-user. It prints a line for each step and ends
// with code 1 if a step fails. It starts the worker as a call with threads does, because qemu-user needs a
// thread of its own.

#include <functional>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"
#include "grader/compile/builds.h"
#include "grader/grading/grade.h"
#include "grader/grading/judge_part.h"
#include "grader/judge/student.h"
#include "grader/sandbox/system_calls.h"

namespace attn {
namespace {

constexpr int kThreads = 2;

/// Without the layer of files: it mounts the files that a program needs, and on qemu-user the C library for
/// ARM does not lie where a program for ARM finds it.
worker::Layers layers() {
    return worker::Layers().without(worker::Layer::files);
}

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

Tally judge_all(const rubric::Rubric& rubric, worker::Worker worker) {
    Tally tally;
    judge::Student student(worker);
    for (const rubric::PartRubric& part : rubric.parts)
        for (const report::Check& check : judge_part(rubric, part, kPublicSeed, std::ref(student)).checks())
            tally.add(check);
    return tally;
}

/// A submission of one file, compiled and judged.
Tally judge_submission(const rubric::Rubric& rubric, const Installation& installation,
                       const std::string& text) {
    const data::TemporaryDirectory folder;
    folder.write(rubric.sources.front(), text);
    compile::BuildOptions options;
    options.layers = layers();
    compile::Builds builds(folder.path(), {rubric}, installation, options);
    return judge_all(rubric, builds.worker_for(rubric));
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
    rubric::Rubric rubric = rubric::read_rubric(installation.assignments / "02_self_attention");
    rubric.limits.threads = kThreads;
    const std::string& module = rubric.module->name;
    const auto library = [&](const std::filesystem::path& file) {
        return worker::Worker(
            {.program = installation.worker, .library = file, .exports = installation.exports}, rubric.limits,
            layers());
    };
    ok &= full_marks("the plain loops", judge_all(rubric, library(installation.plain)));
    ok &= full_marks("the yardstick", judge_all(rubric, library(installation.yardstick)));
    const std::string right = data::read_file(installation.proof_of(module) / "solution.cpp");
    ok &= full_marks("a right submission, compiled here", judge_submission(rubric, installation, right));
    std::string wrong = right;
    const std::string divisor = "std::sqrt(";
    const std::size_t at = wrong.find(divisor);
    if (at != std::string::npos) wrong.insert(at + divisor.size(), "0 * ");
    const Tally tally = judge_submission(rubric, installation, wrong);
    ok &= report_step("a wrong submission loses checks", at != std::string::npos && tally.passed < tally.all,
                      fmt::format("{} of {} passed", tally.passed, tally.all));
    ok &= report_step("there is no emulator of CUDA kernels", installation.emulator_library.empty());
    return ok ? 0 : 1;
}

}  // namespace
}  // namespace attn

int main() {
    return attn::self_test();
}
