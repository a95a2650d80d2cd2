// Checks the reference's kernels on this machine's GPU: are their numbers those of the plain loops, and how
// long do they take? Exit code 1: something failed; 2: wrong usage.

#include <ctime>
#include <exception>
#include <iostream>
#include <stdexcept>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "datasets/shipped.h"
#include "grader/cli/options.h"
#include "grader/gpu/ask_kernels.h"
#include "grader/gpu/function_questions.h"
#include "grader/gpu/take_times.h"
#include "grader/grading/grade.h"

namespace {

using namespace attn;

constexpr const char* kUsage =
    "gpu_check [--json FILE]\n"
    "Runs the reference's kernels on this machine's CUDA device, on all cases that the rubrics ask of a\n"
    "student's kernels, and takes the time of one larger call of each function. Without a device nothing\n"
    "is run, and the last line says so. Exit codes: 0 nothing failed, 1 something failed, 2 wrong usage.\n";

gpu::FunctionReport check_function(const gpu::FunctionQuestions& entry, const judge::CallFunction& ask) {
    gpu::FunctionReport report{entry.module->name, entry.function->name, {}, {}};
    if (!gpu::device().present()) return report;
    std::cerr << fmt::format("{}: {} cases\n", report.function, entry.questions.size());
    // The time of wrong numbers means nothing, so the timed call is checked as well.
    std::vector<judge::Question> questions = entry.questions;
    questions.push_back(entry.timed);
    report.agreement = gpu::agree(questions, ask);
    if (!report.agreement.all_passed()) return report;
    const gpu::Kernels kernels = gpu::kernels_of(report.function);
    const auto time_on_device = [&](const Argument* arguments, int count, int repetitions) {
        return gpu::time_kernels(kernels, arguments, count, repetitions);
    };
    try {
        report.times = gpu::take_times(entry.timed, time_on_device, gpu::plain_loops_timer(*entry.function));
    } catch (const std::runtime_error& error) {
        report.agreement.failures.push_back(fmt::format("while it was timed: {}", error.what()));
    }
    return report;
}

int run(const cli::Words& words) {
    cli::po::options_description options("Options");
    options.add_options()("json", cli::po::value<std::string>(), "write the results to this file");
    const auto values = cli::parse(words, kUsage, options, "nothing");
    if (!values) return 0;
    if (values->count("nothing") != 0) throw cli::UsageError(kUsage);

    const Installation installation;
    data::set_shipped_folder(installation.datasets);
    gpu::GpuReport report;
    report.device = gpu::device();
    report.date = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
    const judge::CallFunction ask = gpu::ask_kernels();
    for (const gpu::FunctionQuestions& entry :
         gpu::questions_for_all_functions(submission::read_rubrics(installation.assignments), kPublicSeed))
        report.functions.push_back(check_function(entry, ask));
    gpu::print(std::cout, report);
    if (values->count("json") != 0)
        cli::write_file((*values)["json"].as<std::string>(), gpu::to_json(report).dump(2) + "\n");
    return gpu::has_failed(report) ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(cli::Words(argv + 1, argv + argc));
    } catch (const cli::UsageError& error) {
        std::cerr << error.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "gpu_check: " << error.what() << '\n';
        return 1;
    }
}
