// The reference's kernels on this machine's GPU: are their numbers those of the plain loops, and how long do
// they take? Exit code 1: something failed; 2: usage.

#include <ctime>
#include <exception>
#include <iostream>
#include <stdexcept>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "datasets/shipped.h"
#include "grader/cli/options.h"
#include "grader/gpu/ask_kernels.h"
#include "grader/gpu/asked.h"
#include "grader/gpu/take_times.h"
#include "grader/grading/grade.h"

namespace {

using namespace attn;

constexpr const char* kUsage =
    "gpu_check [--json FILE]\n"
    "Asks the reference's kernels all that the rubrics ask of a student's, on the CUDA device of this "
    "machine,\n"
    "and takes the time of one larger call of each function. Without a device nothing is asked, and the "
    "last\n"
    "line says so. Exit codes: 0 nothing failed, 1 something did, 2 usage.\n";

gpu::FunctionReport look_at(const gpu::Asked& asked, const judge::Ask& ask) {
    gpu::FunctionReport report{asked.module->name, asked.function->name, {}, {}};
    if (!gpu::device().present()) return report;
    std::cerr << fmt::format("{}: {} cases\n", report.function, asked.questions.size());
    // A time of wrong numbers is worth nothing, so the timed call is a case as well.
    std::vector<judge::Question> questions = asked.questions;
    questions.push_back(asked.timed);
    report.agreement = gpu::agree(questions, ask);
    if (!report.agreement.all_passed()) return report;
    const gpu::Kernels kernels = gpu::kernels_of(report.function);
    const auto by_device = [&](const Argument* arguments, int count, int repetitions) {
        return gpu::time_kernels(kernels, arguments, count, repetitions);
    };
    try {
        report.times = gpu::take_times(asked.timed, by_device, gpu::clock_of_plain_loops(*asked.function));
    } catch (const std::runtime_error& error) {
        report.agreement.failures.push_back(fmt::format("while it was timed: {}", error.what()));
    }
    return report;
}

int run(const cli::Words& words) {
    cli::po::options_description options("Options");
    options.add_options()("json", cli::po::value<std::string>(), "write what was found to this file");
    const auto values = cli::parse(words, kUsage, options, "nothing");
    if (!values) return 0;
    if (values->count("nothing") != 0) throw cli::UsageError(kUsage);

    const Installation installation;
    data::set_shipped_folder(installation.datasets);
    gpu::GpuReport report;
    report.device = gpu::device();
    report.date = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
    const judge::Ask ask = gpu::ask_kernels();
    for (const gpu::Asked& asked :
         gpu::all_asked(submission::read_rubrics(installation.assignments), kPublicSeed))
        report.functions.push_back(look_at(asked, ask));
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
