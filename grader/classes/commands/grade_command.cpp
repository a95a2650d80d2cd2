#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/engine/engine.h"
#include "grader/classes/grading_run.h"
#include "grader/classes/marks.h"
#include "grader/classes/slurm/slurm.h"
#include "grader/cli/terminal_settings.h"
#include "grader/worker/interrupt.h"

namespace attn::classes {

namespace {

constexpr const char* kClassGradeUsage =
    "usage: grader class grade [options]\n"
    "Grades what has no result yet, then shows which marks would change. Nothing is published by it.\n"
    "A result is kept under everything that it was made of, so typing the command again grades nothing "
    "twice. After a\n"
    "change of points no code runs; after another change of a rubric only the parts that it touches are "
    "graded.\n"
    "  grader class grade\n"
    "  grader class grade --assignment 2 --jobs 4\n"
    "  grader class grade --with-this-version      (another version of the grader has graded the class)\n"
    "Exit code: 0 every attempt is graded, 1 some are not, because of faults of the grader: grader class "
    "status shows them.\n";

/// Shows progress in one line of a terminal, or in a line every half minute.
class ProgressLines {
  public:
    void show(const RunProgress& progress) {
        if (progress.all == 0) return;
        const auto moment = std::chrono::steady_clock::now();
        const bool last = progress.ended == progress.all;
        if (cli::is_terminal(STDERR_FILENO)) {
            std::cerr << "\r\x1b[K" << progress.text() << (last ? "\n" : "") << std::flush;
        } else if (last || !shown_ || moment - *shown_ > std::chrono::seconds(30)) {
            std::cerr << progress.text() << '\n';
            shown_ = moment;
        }
    }

  private:
    std::optional<std::chrono::steady_clock::time_point> shown_;
};

std::unique_ptr<Engine> engine_of(const po::variables_map& values, const Session& session, int jobs) {
    const std::string name = values["engine"].as<std::string>();
    if (name == "local") return local_engine(session.folder().spool(), session.grader(), jobs);
    if (name == "slurm") {
        SlurmOptions options;
        options.rules = session.rules().cluster;
        options.worker = {std::filesystem::read_symlink("/proc/self/exe").string(), "work", "--grader",
                          session.grader().string()};
        options.note = [](const std::string& sentence) { std::cerr << "\nnote: " << sentence << '\n'; };
        return slurm_engine(session.folder().spool(), options);
    }
    throw cli::UsageError(fmt::format("--engine is '{}'; expected local or slurm", name));
}

}  // namespace

int grade_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("jobs,j", po::value<int>(),
                          "submissions to grade at a time; by default the number of processors")(
        "engine", po::value<std::string>()->default_value("local")->value_name("NAME"),
        "where jobs run: local, or slurm (a cluster; class.toml may have a table [slurm] with partition, "
        "account, gres, options, processors, memory_mib, at_once, scratch)")(
        "with-this-version",
        "grade again what another version of the grader has graded, without asking; marks can change");
    add_class_options(options);
    const auto values = cli::parse(words, kClassGradeUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    arguments_of(*values, 0, 0, kClassGradeUsage);
    const int jobs = values->count("jobs") != 0 ? (*values)["jobs"].as<int>()
                                                : static_cast<int>(std::thread::hardware_concurrency());
    if (jobs < 1) throw cli::UsageError("--jobs has to be 1 or more");
    Session session(*values, Database::Access::write);
    const auto engine = engine_of(*values, session, jobs);
    std::filesystem::create_directories(session.folder().spool());
    // Of all exercises, before anything is graded.
    const bool agreed = values->count("with-this-version") != 0;
    for (const int number : session.exercises()) {
        Exercise exercise = session.open(number);
        if (!agreed) session.require_same_grader(exercise, true);
        record_grader(session.gradebook(), exercise, session.grader_version());
    }
    bool complete = true;
    for (const int number : session.exercises()) {
        Exercise exercise = session.open(number);
        ProgressLines lines;
        GradingRun run(session.folder(), session.gradebook(), exercise, *engine,
                       [&lines](const RunProgress& progress) { lines.show(progress); });
        RunSummary summary;
        try {
            summary = run.run();
        } catch (const worker::Interrupted&) {
            std::cerr << "\ninterrupted; every result that was finished is kept: grader class grade goes on "
                         "from here.\n";
            return cli::kInterrupted;
        }
        std::cout << fmt::format("Assignment {}: {} graded, {} not gradable, {} unchanged", number,
                                 summary.graded, summary.refused, summary.reused);
        if (!summary.faults.empty()) {
            complete = false;
            std::cout << fmt::format(", {} not graded because of a fault of the grader (grader class status)",
                                     summary.faults.size());
        }
        std::cout << "\n";
        const bool published_before = session.gradebook().last_version(number, true).has_value();
        const Version version = update_version(session.gradebook(), exercise);
        const auto changes = changed_marks(session.gradebook(), version);
        write_changes(std::cout, changes, published_before);
        if (!changes.empty())
            std::cout << fmt::format(
                "To make these the marks that are exported: grader class publish --assignment {}\n", number);
    }
    if (session.exercises().size() == session.rules().exercises.size()) clear_spool(session.folder().spool());
    return complete ? cli::kAllPassed : cli::kSomethingFailed;
}

namespace {

constexpr const char* kWorkUsage =
    "usage: grader class work SPOOL FILE.job\n"
    "Runs one job and writes how it ended to the spool. An engine starts this on another machine; people "
    "need not.\n"
    "Exit code: 0 the job has an ending.\n";

}  // namespace

int work_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("grader", po::value<std::string>()->value_name("FILE"),
                          "grade with this program instead of the one beside this");
    const auto values = cli::parse(words, kWorkUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const Words arguments = arguments_of(*values, 2, 2, kWorkUsage);
    run_job(read_job(data::read_file(arguments[1])), arguments[0], grader_program(*values));
    return cli::kAllPassed;
}

}  // namespace attn::classes
