#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "datasets/files/replacement.h"
#include "grader/base/text_lines.h"
#include "grader/cli/commands.h"
#include "grader/cli/file_watch.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/compile/build_cache.h"
#include "grader/grading/grade.h"
#include "grader/report/disclosed.h"
#include "grader/report/json.h"
#include "grader/report/terminal_report.h"
#include "grader/rubric/course.h"
#include "grader/rubric/rubric.h"
#include "grader/sandbox/dumpable.h"
#include "grader/worker/interrupt.h"

namespace attn::cli {
namespace {

constexpr const char* kWatchUsage =
    "usage: grader watch FOLDER [options]\n"
    "Grades the folder, and again whenever a source in it is saved, without speed. Ctrl-C ends it.\n"
    "  grader watch student --assignment 2\n"
    "  grader watch student                  after a change, only the assignment of the changed file\n";

/// What one grading covers. No assignment: all of them.
struct Work {
    std::optional<int> assignment;
    bool kernels = true;
};

/// The gradings that a change asks for. A header may belong to any assignment.
std::vector<Work> work_after(const std::set<std::string>& changed, std::optional<int> watched,
                             const std::vector<rubric::Rubric>& rubrics) {
    const auto is_cuda = [](const std::string& name) {
        return name.ends_with(".cu") || name.ends_with(".cuh");
    };
    const bool kernels = std::ranges::any_of(changed, is_cuda);
    if (watched) return {{watched, kernels}};
    std::set<int> numbers;
    for (const std::string& name : changed) {
        const auto owner = std::ranges::find_if(rubrics, [&name](const rubric::Rubric& rubric) {
            return std::ranges::count(rubric.sources, name) != 0 ||
                   (rubric.cuda && rubric.cuda->source == name);
        });
        if (owner == rubrics.end()) return {{std::nullopt, kernels}};
        numbers.insert(owner->number);
    }
    std::vector<Work> all;
    for (const int number : numbers) all.push_back({number, kernels});
    return all;
}

/// The names of all checks.
std::set<std::string> names_of_checks(const report::Report& report) {
    std::set<std::string> names;
    for (const report::Assignment& assignment : report.assignments)
        for (const report::Part& part : assignment.parts)
            for (const report::Check& check : part.checks) names.insert(check.name);
    return names;
}

/// Whether a line of the report is that of a check which is not described below.
bool can_be_left_out(const std::string& line, const std::set<std::string>& checks) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    return checks.contains(name) && line.find("see below") == std::string::npos;
}

/// Prints a report on one screen. If it does not fit, leaves out the lines of checks first.
void show(const std::string& text, const std::string& heading, const std::set<std::string>& checks) {
    std::vector<std::string> lines = lines_in(text);
    const bool terminal = is_terminal(STDOUT_FILENO);
    const std::size_t rows = terminal ? terminal_height() : 0, all = lines.size();
    const auto fits = [&] { return rows == 0 || lines.size() + 2 <= rows; };
    if (!fits()) std::erase_if(lines, [&](const auto& line) { return can_be_left_out(line, checks); });
    if (!fits()) lines.resize(rows > 2 ? rows - 2 : 0);
    std::cout << (terminal ? "\x1b[H\x1b[2J\x1b[3J" : "") << heading << '\n';
    for (const std::string& line : lines) std::cout << line << '\n';
    if (lines.size() < all) std::cout << fmt::format("({} more lines: make grade)", all - lines.size());
    std::cout.flush();
}

class Watcher {
  public:
    Watcher(GradeOptions options, std::string json) : options_(std::move(options)), json_(std::move(json)) {}

    /// Grades and shows the report. A mistake in the folder, such as a missing file, is shown like a report.
    void grade(const Work& work) {
        const auto start = std::chrono::steady_clock::now();
        options_.assignment = work.assignment;
        options_.kernels = work.kernels;
        std::ostringstream text;
        std::set<std::string> checks;
        try {
            const report::Report report = report::disclosed(attn::grade(options_), {});
            options_.progress("");
            checks = names_of_checks(report);
            report::write_terminal(text, report, {.colour = colour_wanted(), .width = terminal_width()});
            if (!json_.empty()) data::write_file(json_, report::to_json(report));
        } catch (const UserError& error) {
            options_.progress("");
            text << '\n' << error.what() << '\n';
        }
        const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const std::time_t now = std::time(nullptr);
        show(text.str(),
             fmt::format("{:%H:%M:%S}  graded in {:.1f} s{}; waiting for changes of {} (Ctrl-C ends)",
                         *std::localtime(&now), took_s, work.kernels ? "" : ", without kernels and speed",
                         options_.submission.string()),
             checks);
    }

  private:
    GradeOptions options_;
    std::string json_;
};

}  // namespace

int watch_command(const Words& words) {
    GradeOptions grading;
    std::string json;
    int times = 0;
    po::options_description options("options");
    add_assignment_option(options, "watch only the assignment with this number");
    options.add_options()("json", po::value(&json)->value_name("FILE"),
                          "write each report to this file, for `grader explain`")(
        "times", po::value(&times)->default_value(0)->value_name("N"), "end after N gradings; 0: never");
    add_course_option(options);
    const auto values = parse(words, kWatchUsage, options, "directory");
    if (!values) return kAllPassed;
    grading.submission =
        arguments_of(*values, "directory", 1, std::string("give one folder to watch\n") + kWatchUsage)
            .front();
    if (!std::filesystem::is_directory(grading.submission))
        throw UserError(grading.submission.string() + ": this is not a folder; only a folder can be watched");
    grading.course = course_in(*values);
    const std::optional<int> watched = assignment_in(*values);
    grading.speed = false;
    grading.jobs = static_cast<int>(std::thread::hardware_concurrency());
    grading.extra.cache = compile::default_cache_folder();
    grading.progress = progress_line();

    const worker::Dumpable closed_to_others(false);
    auto rubrics = rubric::read_rubrics(grading.installation.assignments);
    const auto course = rubric::read_course(rubrics, grading.installation.assignments, grading.course);
    std::erase_if(rubrics, [&course](const auto& rubric) { return course.find(rubric.number) == nullptr; });
    FileWatch files(grading.submission);
    Watcher watcher(grading, json);
    try {
        watcher.grade({watched, true});
        for (int graded = 1; times == 0 || graded < times; ++graded)
            for (const Work& work : work_after(files.wait(), watched, rubrics)) watcher.grade(work);
    } catch (const worker::Interrupted&) {
        std::cout << '\n';  // Ctrl-C is how watching ends
    }
    return kAllPassed;
}

}  // namespace attn::cli
