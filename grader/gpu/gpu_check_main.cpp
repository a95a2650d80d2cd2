// Checks the reference's kernels on this machine's GPU: are their numbers those of the plain loops, and how
// long do they take? Exit code 1: something failed, or the device cannot be used; 2: wrong usage.

#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "datasets/shipped.h"
#include "grader/gpu/ask_kernels.h"
#include "grader/gpu/children.h"
#include "grader/gpu/gpu_questions.h"
#include "grader/grading/grade.h"

namespace {

using namespace attn;
namespace fs = std::filesystem;

constexpr const char* kUsage =
    "gpu_check [options]\n"
    "Runs the reference's kernels on this machine's CUDA device, on all cases that the rubrics ask of a\n"
    "student's kernels, and takes the time of one larger call of each function. Each function has a process\n"
    "of its own. Then compute-sanitizer runs over the smallest cases, if it is installed. Without a device\n"
    "nothing is run, and the last line says so.\n"
    "  --json FILE        writes the results to this file\n"
    "  --assignments DIR  the folder with the rubrics; by default `assignments` beside this program\n"
    "  --datasets DIR     the folder with the data; by default `datasets` beside this program\n"
    "  --function NAME    checks this function alone, in this process\n"
    "  --brief            checks the smallest case of each function, in this process, and takes no times\n"
    "  --limit SECONDS    for the process of one function (300)\n"
    "Exit codes: 0 nothing failed, 1 something failed or the device cannot be used, 2 wrong usage.\n";

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    fs::path program, assignments, datasets;
    std::optional<std::string> json, function;
    bool brief = false, help = false;
    double limit_s = 300;
};

Options read_options(const std::vector<std::string>& words) {
    Options options;
    options.program = fs::read_symlink("/proc/self/exe");
    options.assignments = options.program.parent_path() / "assignments";
    options.datasets = options.program.parent_path() / "datasets";
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::string& word = words[k];
        if (word == "--help") {
            options.help = true;
        } else if (word == "--brief") {
            options.brief = true;
        } else if (k + 1 == words.size()) {  // NOLINT(bugprone-branch-clone): options with a value follow
            throw UsageError(kUsage);
        } else if (word == "--json") {
            options.json = words[++k];
        } else if (word == "--assignments") {
            options.assignments = words[++k];
        } else if (word == "--datasets") {
            options.datasets = words[++k];
        } else if (word == "--function") {
            options.function = words[++k];
        } else if (word == "--limit") {
            options.limit_s = std::stod(words[++k]);
        } else {
            throw UsageError(kUsage);
        }
    }
    return options;
}

/// This program with the same folders.
std::vector<std::string> same_program(const Options& options) {
    return {options.program.string(), "--assignments", fs::absolute(options.assignments).string(),
            "--datasets", fs::absolute(options.datasets).string()};
}

gpu::FunctionReport check_function(const gpu::FunctionQuestions& entry, const judge::CallFunction& ask,
                                   bool brief) {
    gpu::FunctionReport report{entry.module->name, entry.function->name, {}, {}};
    if (!gpu::device().present()) return report;
    std::vector<judge::Question> questions = entry.questions;
    if (brief)
        questions.erase(questions.begin() + 1, questions.end());
    else
        questions.push_back(entry.timed);  // the time of wrong numbers means nothing
    report.agreement = gpu::agree(questions, ask);
    if (brief || !report.agreement.all_passed()) return report;
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

int run(const Options& options) {
    data::set_shipped_folder(options.datasets);
    gpu::GpuReport report;
    report.device = gpu::device();
    report.left_out = gpu::kernels_left_out();
    report.date = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
    const bool all = gpu::device().present() && !options.function && !options.brief;
    if (all) report.clocks_before = gpu::clocks_now();
    const judge::CallFunction ask = gpu::ask_kernels();
    for (const gpu::FunctionQuestions& entry :
         gpu::questions_for_all_kernels(rubric::read_rubrics(options.assignments), kPublicSeed)) {
        const std::string& name = entry.function->name;
        if (options.function && *options.function != name) continue;
        if (!all) {
            report.functions.push_back(check_function(entry, ask, options.brief));
        } else {
            std::cerr << fmt::format("{}: {} cases\n", name, entry.questions.size());
            report.functions.push_back(
                gpu::check_in_child(same_program(options), entry.module->name, name, options.limit_s));
        }
    }
    if (all) {
        report.clocks_after = gpu::clocks_now();
        std::vector<std::string> words = same_program(options);
        words.emplace_back("--brief");
        constexpr double kSanitizerTime_s = 900;
        report.sanitizer = gpu::run_sanitizer(words, kSanitizerTime_s);
    }
    gpu::print(std::cout, report);
    if (options.json) {
        std::ofstream file(*options.json);
        file << gpu::to_json(report).dump(2) << '\n';
        if (!file.flush()) throw std::runtime_error(*options.json + " cannot be written");
    }
    return gpu::has_failed(report) ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = read_options({argv + 1, argv + argc});
        if (options.help) {
            std::cout << kUsage;
            return 0;
        }
        return run(options);
    } catch (const UsageError& error) {
        std::cerr << error.what();
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "gpu_check: " << error.what() << '\n';
        return 1;
    }
}
