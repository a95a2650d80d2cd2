#include <iostream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/build/build_cache.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/cli/outputs.h"
#include "grader/cli/progress.h"
#include "grader/cli/seed_file.h"
#include "grader/cli/terminal.h"
#include "grader/grading/grade.h"
#include "grader/report/disclosed.h"
#include "grader/report/terminal.h"
#include "grader/sandbox/dumpable.h"
#include "grader/sandbox/layers.h"

namespace attn::cli {
namespace {

constexpr const char* kGradeUsage =
    "usage: grader grade SUBMISSION [options]\n"
    "Grades a submission, a folder or an archive (.zip, .tar.gz, .tar), and prints a report.\n"
    "  grader grade student\n"
    "  grader grade submission.zip\n"
    "  grader grade student --html report.html\n"
    "  grader grade student --assignment 2 --json report.json --junit report.xml\n"
    "  grader grade student --seed-file secret.txt --full-json full.json      (the mark)\n"
    "  grader grade student --markdown \"$GITHUB_STEP_SUMMARY\" --github -\n"
    "  grader grade /autograder/submission --gradescope /autograder/results/results.json\n"
    "Exit code: 0 all that is shown passed, 1 something failed, 2 usage or a broken rubric, 3 a fault of the "
    "grader.\n";

worker::Layer layer_named(const std::string& name) {
    try {
        return worker::layer_named(name);
    } catch (const std::invalid_argument& error) {
        throw UsageError(std::string(error.what()) + "; `grader doctor` shows them");
    }
}

/// The seed of a mark, from the file that these options name.
void take_secret_seed(const po::variables_map& values, GradeOptions& grading) {
    if (!values["seed"].defaulted())
        throw UsageError("give --seed or --seed-file, not both: one seed is everybody's, the other nobody's");
    const auto& path = values["seed-file"].as<std::string>();
    const SeedFile file = read_seed_file(path);
    if (file.readable_by_all)
        std::cerr << fmt::format("note: {} can be read by everybody on this machine: chmod 600 {}\n", path,
                                 path);
    grading.seed = file.seed;
    grading.secret = true;
}

/// No mark rather than one that hostile code may have made.
void require_sandbox(const worker::Layers& used) {
    const auto missing = worker::missing_layers(used);
    if (missing.empty()) return;
    std::vector<std::string> names;
    for (const worker::Layer layer : missing) names.push_back(worker::name_of(layer));
    throw std::runtime_error(fmt::format(
        "--require-sandbox: missing here: {}; `grader doctor` tells how to get it", fmt::join(names, ", ")));
}

}  // namespace

int grade_command(const Words& words) {
    GradeOptions grading;
    po::options_description options("options");
    options.add_options()("assignment,a", po::value<int>(), "grade this one only, by its number")(
        "seed", po::value(&grading.seed)->default_value(kPublicSeed), "of the inputs")(
        "seed-file", po::value<std::string>()->value_name("FILE"),
        "the secret seed of a mark: any text of 16 characters or more; secret.toml is asked, too")(
        "after-deadline", "show what rubrics keep back until the deadline")(
        "published", "show what rubrics keep back until marks are published, too")(
        "no-speed", "do not measure speed; its points do not count")(
        "jobs,j", po::value<int>(), "grade so many assignments at a time; as many as there are processors")(
        "no-cache", "compile everything anew; otherwise what was compiled of the same files before is used")(
        "require-sandbox", "do not grade where a layer is missing that holds hostile code")(
        "without", po::value<Words>(),
        "take away a layer of the sandbox, for tests of the grader: `grader doctor` names them")(
        "verbose,v", "tell every failure in full")("quiet,q", "points only, and what to do next");
    add_output_options(options);
    const auto values = parse(words, kGradeUsage, options, "directory");
    if (!values) return kAllPassed;
    if (values->count("quiet") != 0 && values->count("verbose") != 0)
        throw UsageError("--quiet and --verbose cannot both be had");
    if (values->count("directory") == 0 || (*values)["directory"].as<Words>().size() != 1)
        throw UsageError(std::string("give one folder or archive to grade\n") + kGradeUsage);
    grading.submission = (*values)["directory"].as<Words>().front();
    if (values->count("assignment") != 0) grading.assignment = (*values)["assignment"].as<int>();
    if (values->count("seed-file") != 0) take_secret_seed(*values, grading);
    grading.speed = values->count("no-speed") == 0;
    grading.jobs = values->count("jobs") != 0 ? (*values)["jobs"].as<int>()
                                              : static_cast<int>(std::thread::hardware_concurrency());
    if (values->count("jobs") != 0 && grading.jobs < 1) throw UsageError("--jobs has to be 1 or more");
    if (values->count("no-cache") == 0) grading.extra.cache = submission::default_cache_folder();
    grading.progress = progress_line();
    if (values->count("without") != 0)
        for (const std::string& name : (*values)["without"].as<Words>())
            grading.extra.layers = grading.extra.layers.without(layer_named(name));
    if (values->count("require-sandbox") != 0) require_sandbox(grading.extra.layers);
    check_outputs(*values);

    const worker::Dumpable closed_to_others(false);
    const Views views = views_of(
        grade(grading), {values->count("after-deadline") != 0, values->count("published") != 0, false});
    grading.progress("");
    report::write_terminal(
        std::cout, views.of_student,
        {colour_wanted(), values->count("verbose") != 0, values->count("quiet") != 0, terminal_width()});
    write_outputs(*values, views);
    if (!std::cout.flush()) throw std::runtime_error("the report could not be written to standard output");
    // A code that knew more than the report would tell what is kept back.
    return report::all_passed(views.of_student) ? kAllPassed : kSomethingFailed;
}

}  // namespace attn::cli
