#include <chrono>
#include <ctime>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/outputs.h"
#include "grader/cli/seed_file.h"
#include "grader/cli/terminal_settings.h"
#include "grader/compile/build_cache.h"
#include "grader/grading/grade.h"
#include "grader/report/changes.h"
#include "grader/report/disclosed.h"
#include "grader/report/json.h"
#include "grader/report/report_queries.h"
#include "grader/report/terminal_report.h"
#include "grader/sandbox/dumpable.h"
#include "grader/sandbox/layers.h"

namespace attn::cli {
namespace {

constexpr const char* kGradeUsage =
    "usage: grader grade SUBMISSION [options]\n"
    "Grades a submission, a folder or an archive (.zip, .tar, .tar.gz, .tar.xz, .tar.bz2), and prints a "
    "report.\n"
    "  grader grade student\n"
    "  grader grade submission.zip\n"
    "  grader grade student --html report.html\n"
    "  grader grade student --assignment 2 --json report.json --junit report.xml\n"
    "  grader grade student --course eecs498             (the assignments of this course)\n"
    "  grader grade student --seed-file secret.txt --full-json full.json      (the mark)\n"
    "  grader grade student --markdown \"$GITHUB_STEP_SUMMARY\" --github -\n"
    "  grader grade /autograder/submission --gradescope /autograder/results/results.json\n"
    "Exit code: 0 all shown checks passed, 1 a shown check failed, 2 invalid usage, rubric or submission, 3 "
    "a "
    "fault of the grader. With 2 and 3 nothing was graded.\n";

worker::Layer layer_named(const std::string& name) {
    try {
        return worker::layer_named(name);
    } catch (const std::invalid_argument& error) {
        throw UsageError(std::string(error.what()) + "; `grader doctor` shows them");
    }
}

report::Hints hints_named(const std::string& word) {
    const auto found = std::ranges::find(report::kHintsNames, word);
    if (found == report::kHintsNames.end())
        throw UsageError(
            fmt::format("--hints is '{}'; expected one of {}", word, fmt::join(report::kHintsNames, ", ")));
    return static_cast<report::Hints>(found - report::kHintsNames.begin());
}

/// Reads the secret seed from the file that the options name.
void read_secret_seed(const po::variables_map& values, GradeOptions& grading) {
    if (!values["seed"].defaulted())
        throw UsageError("give --seed or --seed-file, not both: the first is public, the second is secret");
    const auto& path = values["seed-file"].as<std::string>();
    const SeedFile file = read_seed_file(path);
    if (file.readable_by_all)
        std::cerr << fmt::format("note: all users of this machine can read {}: chmod 600 {}\n", path, path);
    grading.seed = file.seed;
    grading.secret = true;
    grading.seed_file = path;
}

/// Refuses to grade if a sandbox layer is missing, because hostile code could then change the mark.
void require_sandbox(const worker::Layers& used) {
    const auto missing = worker::missing_layers(used);
    if (missing.empty()) return;
    std::vector<std::string> names;
    for (const worker::Layer layer : missing) names.push_back(worker::name_of(layer));
    throw std::runtime_error(fmt::format(
        "--require-sandbox: missing here: {}; `grader doctor` shows how to get it", fmt::join(names, ", ")));
}

/// The report of the run before, where the next one will be written.
struct Earlier {
    report::Report report;
    std::time_t time = 0;
};

/// No report if there is none, or none that this grader can read.
std::optional<Earlier> earlier_report(const po::variables_map& values) {
    if (values.count("json") == 0) return std::nullopt;
    const std::string path = text_of(values, "json");
    struct stat file {};
    if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
    try {
        return Earlier{report::from_json(data::read_file(path)), file.st_mtime};
    } catch (const UserError&) {
        return std::nullopt;
    }
}

/// "Graded in 2.9 s. Since 20:14: +14.3 points, 7 checks better." The time only where the progress was shown.
std::string what_became_of(const std::optional<Earlier>& earlier, const report::Report& now, double took_s) {
    std::string text = is_terminal(STDERR_FILENO) ? fmt::format("Graded in {:.1f} s. ", took_s) : "";
    if (!earlier) return text;
    const std::string gains = report::gains(earlier->report, now);
    if (gains.empty()) return text;
    constexpr std::time_t kDay_s = 24 * 60 * 60;
    const bool today = std::time(nullptr) - earlier->time < kDay_s;
    const std::tm local = *std::localtime(&earlier->time);
    return text + fmt::format("Since {}: {}.",
                              today ? fmt::format("{:%H:%M}", local) : fmt::format("{:%Y-%m-%d}", local),
                              gains);
}

}  // namespace

int grade_command(const Words& words) {
    GradeOptions grading;
    po::options_description options("options");
    add_assignment_option(options, "grade only the assignment with this number");
    options.add_options()("part", po::value<Words>(),
                          "grade only this function of the assignment; may be repeated")(
        "seed", po::value(&grading.seed)->default_value(kPublicSeed), "public seed of the inputs")(
        "seed-file", po::value<std::string>()->value_name("FILE"),
        "file with the secret seed for marking, any text of at least 16 characters; also runs the cases of "
        "secret.toml")("after-deadline", "show the checks that rubrics keep back until the deadline")(
        "published", "show also the checks that rubrics keep back until marks are published")(
        "hints", po::value<std::string>()->value_name("WORD"),
        "how much is told of a mistake: question (only what to think about), place (also where it is) or "
        "name; "
        "replaces that of the rubrics")("no-speed", "do not measure speed; its points do not count")(
        "jobs,j", po::value<int>(),
        "number of assignments to grade at a time; by default the number of processors")(
        "no-cache", "compile everything again instead of reusing earlier builds of the same files")(
        "require-sandbox", "do not grade if a sandbox layer other than cgroup is missing")(
        "without", po::value<Words>(),
        "switch off a sandbox layer, to test the grader; `grader doctor` names the layers")(
        "verbose,v", "show every failure in full")("quiet,q", "show only the points and the next step");
    add_course_option(options);
    add_output_options(options);
    const auto values = parse(words, kGradeUsage, options, "directory");
    if (!values) return kAllPassed;
    const std::optional<Earlier> earlier = earlier_report(*values);
    remove_earlier_outputs(*values);
    if (values->count("quiet") != 0 && values->count("verbose") != 0)
        throw UsageError("--quiet and --verbose exclude each other");
    grading.submission = arguments_of(*values, "directory", 1,
                                      std::string("give one folder or archive to grade\n") + kGradeUsage)
                             .front();
    grading.course = course_in(*values);
    grading.assignment = assignment_in(*values);
    if (values->count("part") != 0) {
        if (!grading.assignment)
            throw UsageError("--part names a function of one assignment: add --assignment N");
        grading.parts = (*values)["part"].as<Words>();
    }
    if (values->count("seed-file") != 0) read_secret_seed(*values, grading);
    if (values->count("hints") != 0) grading.hints = hints_named((*values)["hints"].as<std::string>());
    grading.speed = values->count("no-speed") == 0;
    grading.jobs = values->count("jobs") != 0 ? (*values)["jobs"].as<int>()
                                              : static_cast<int>(std::thread::hardware_concurrency());
    if (values->count("jobs") != 0 && grading.jobs < 1) throw UsageError("--jobs has to be 1 or more");
    if (values->count("no-cache") == 0) grading.extra.cache = compile::default_cache_folder();
    grading.progress = progress_line();
    if (values->count("without") != 0)
        for (const std::string& name : (*values)["without"].as<Words>())
            grading.extra.layers = grading.extra.layers.without(layer_named(name));
    if (values->count("require-sandbox") != 0) require_sandbox(grading.extra.layers);
    check_outputs(*values);

    const worker::Dumpable closed_to_others(false);
    const auto start = std::chrono::steady_clock::now();
    report::Report graded = grade(grading);
    if (grading.hints) report::tell_less(graded, *grading.hints);
    const Views views = views_of(
        std::move(graded), {values->count("after-deadline") != 0, values->count("published") != 0, false});
    grading.progress("");
    report::write_terminal(std::cout, views.of_student,
                           {colour_wanted(), values->count("verbose") != 0, values->count("quiet") != 0,
                            !worker::missing_layers(grading.extra.layers).empty(), terminal_width()});
    const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::string since = what_became_of(earlier, views.of_student, took_s);
    if (!since.empty() && values->count("quiet") == 0) std::cout << since << '\n';
    write_outputs(*values, views);
    if (!std::cout.flush()) throw std::runtime_error("the report could not be written to standard output");
    // The exit code follows from the shown checks only; otherwise it would reveal hidden ones.
    return report::all_passed(views.of_student) ? kAllPassed : kSomethingFailed;
}

}  // namespace attn::cli
