// Measures how long a student waits: a right submission of all assignments is graded with an empty cache and
// then again, alternately with all layers of the sandbox and with none. Usage: latency ROUNDS JOBS

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"
#include "grader/base/parallel.h"
#include "grader/compile/builds.h"
#include "grader/grading/grade.h"

namespace {

using namespace attn;

struct Cost {
    double wall_s = 0, cpu_s = 0;  ///< of all processes and threads
};

double cpu_s() {
    double sum = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(static_cast<__rusage_who_t>(who), &used);
        for (const timeval& part : {used.ru_utime, used.ru_stime})
            sum += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
    }
    return sum;
}

template <class Work>
Cost cost_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const double before_s = cpu_s();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            cpu_s() - before_s};
}

Cost median(std::vector<Cost> all) {
    const auto of = [&all](double Cost::*which) {
        std::sort(all.begin(), all.end(),
                  [which](const Cost& a, const Cost& b) { return a.*which < b.*which; });
        return all[all.size() / 2].*which;
    };
    return {of(&Cost::wall_s), of(&Cost::cpu_s)};
}

void require_full_marks(const report::Report& report) {
    if (!report::all_passed(report)) throw std::runtime_error("the right submission has not passed");
}

/// Measures every phase once. The cache is empty at first.
std::map<std::string, Cost> measure(GradeOptions options) {
    const data::TemporaryDirectory folder;
    std::map<std::string, Cost> costs;
    options.extra.cache = folder / "cache";
    const auto grading = [&options] { require_full_marks(grade(options)); };
    costs["cold"] = cost_of(grading);
    costs["unchanged"] = cost_of(grading);
    options.extra.cache.clear();
    compile::Builds builds(options.submission, rubric::read_rubrics(options.installation.assignments),
                           options.installation, options.extra);
    const auto& rubrics = builds.rubrics();
    costs["cold: compile"] = cost_of(
        [&] { in_parallel(rubrics.size(), options.jobs, [&](std::size_t k) { builds.of(rubrics[k]); }); });
    costs["cold: run"] = cost_of([&] { require_full_marks(grade(options, builds)); });
    return costs;
}

std::string processor() {
    std::ifstream lines("/proc/cpuinfo");
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "an unknown processor";
}

void print(const std::map<std::string, std::vector<Cost>>& with,
           const std::map<std::string, std::vector<Cost>>& without) {
    fmt::print("{:15} {:>10} {:>8} {:>14} {:>8} {:>12}\n", "", "all layers", "CPU", "without any", "CPU",
               "layers cost");
    for (const char* phase : {"cold", "cold: compile", "cold: run", "unchanged"}) {
        const Cost a = median(with.at(phase)), b = median(without.at(phase));
        fmt::print("{:15} {:8.2f} s {:6.2f} s {:12.2f} s {:6.2f} s {:+10.1f} %\n", phase, a.wall_s, a.cpu_s,
                   b.wall_s, b.cpu_s, 100 * (a.cpu_s / b.cpu_s - 1));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::stoi(argv[1]) : 7;
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    const data::TemporaryDirectory folder;
    GradeOptions options;
    data::set_shipped_folder(options.installation.datasets);
    options.speed = false;
    options.jobs = argc > 2 ? std::stoi(argv[2]) : processors;
    options.submission = folder.path();
    for (const auto& rubric : rubric::read_rubrics(options.installation.assignments))
        folder.write(rubric.sources.front(),
                     data::read_file(options.installation.proof_of(rubric.module->name) / "solution.cpp"));

    GradeOptions without = options;
    without.extra.layers = worker::Layers::none();
    std::map<std::string, std::vector<Cost>> costs, bare;
    for (int round = 0; round < rounds; ++round)
        for (auto* all : {&costs, &bare})
            for (const auto& [phase, cost] : measure(all == &costs ? options : without))
                (*all)[phase].push_back(cost);
    fmt::print("All assignments, {} at a time; {}, {} processors. Medians of {} rounds.\n", options.jobs,
               processor(), processors, rounds);
    print(costs, bare);
}
