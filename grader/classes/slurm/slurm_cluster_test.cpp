// The Slurm engine on a real cluster of one node, while jobs are killed and the node is taken down.

#include "grader/testing/slurm_cluster.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/classes/assembled.h"
#include "grader/classes/gradebook/database.h"
#include "grader/classes/slurm/slurm.h"
#include "grader/report/json.h"
#include "grader/testing/built.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(slurm_cluster, *has_slurm() * boost::unit_test::label("long"))

namespace fs = std::filesystem;

SlurmCluster& cluster() {
    static SlurmCluster running;
    return running;
}

/// A spool, and a worker in place of the grader: a script that notes each start, works until the file `go`
/// exists, and then writes an ending.
class ScriptedJobs {
  public:
    ScriptedJobs() {
        fs::create_directory(spool());
        fs::create_directory(folder_ / "starts");
        script_ = folder_.write("worker.sh", fmt::format(R"sh(#!/bin/sh
name=$(sed -n 's/.*"name": "\(.*\)".*/\1/p' "$2")
echo "$$ ${{SLURM_RESTART_COUNT:-0}} $TMPDIR" >>'{0}/starts/'"$name"
echo "working on $name"
while ! [ -e '{0}/go' ]; do [ -d '{0}' ] || exit 1; sleep 0.1; done
if [ -e '{0}/fail-'"$name" ]; then echo "no luck"; exit 1; fi
echo "result of $name" >"$1/$name.draft" && mv "$1/$name.draft" "$1/$name.json"
)sh",
                                                         folder_.path().string()));
        fs::permissions(script_, fs::perms::owner_all);
    }
    ~ScriptedJobs() {
        if (!thread_.joinable()) return;  // otherwise a test has failed
        let_them_end();
        join();
    }
    ScriptedJobs(const ScriptedJobs&) = delete;
    ScriptedJobs& operator=(const ScriptedJobs&) = delete;

    fs::path spool() const { return folder_ / "spool"; }
    const data::TemporaryDirectory& folder() const { return folder_; }
    void let_them_end() const { folder_.write("go", ""); }

    SlurmOptions options() {
        SlurmOptions made;
        made.rules.processors = 1;
        made.rules.memory_mib = 100;
        made.poll_s = 0.3;
        made.worker = {script_.string()};
        made.note = [this](const std::string& sentence) { notes.push_back(sentence); };
        return made;
    }

    static std::vector<Job> jobs(int count) {
        std::vector<Job> made;
        for (int k = 0; k < count; ++k) {
            Job job;
            job.name = fmt::format("attempt-{}", k);
            job.limit_s = 60;
            made.push_back(job);
        }
        return made;
    }

    /// The lines that the starts of a job left.
    int starts_of(const std::string& name) const {
        const fs::path file = folder_ / ("starts/" + name);
        if (!fs::exists(file)) return 0;
        const std::string text = data::read_file(file);
        return static_cast<int>(std::ranges::count(text, '\n'));
    }
    int begun() const {
        int count = 0;
        for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_ / "starts")) ++count;
        return count;
    }

    /// Runs the jobs in a thread of this test, and counts how often each ends.
    void start(const SlurmOptions& options, const std::vector<Job>& all) {
        finished_ = false;
        thread_ = std::thread([this, options, all] {
            try {
                slurm_engine(spool(), options)->run(all, [this](const Job& job) { ++ended[job.name]; });
            } catch (const std::exception& error) {
                failure = error.what();
            }
            finished_ = true;
        });
    }
    void join() {
        while (!finished_) {
            cluster().keep_going();
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        }
        thread_.join();
    }

    std::map<std::string, int> ended;
    std::vector<std::string> notes;
    std::string failure;

  private:
    data::TemporaryDirectory folder_;
    fs::path script_;
    std::atomic<bool> finished_ = true;
    std::thread thread_;
};

/// Endings of all jobs, each exactly once, with nothing else left in the spool.
void check_all_ended(const ScriptedJobs& work, int count) {
    BOOST_TEST(work.failure == "");
    std::set<std::string> there, expected;
    for (const auto& entry : fs::directory_iterator(work.spool()))
        there.insert(entry.path().filename().string());
    for (int k = 0; k < count; ++k) {
        const std::string name = fmt::format("attempt-{}", k);
        expected.insert(name + ".json");
        BOOST_TEST(work.ended.contains(name), name);
        if (work.ended.contains(name)) BOOST_TEST(work.ended.at(name) == 1, name);
        if (there.contains(name + ".json"))
            BOOST_TEST(data::read_file(work.spool() / (name + ".json")) == "result of " + name + "\n");
    }
    BOOST_TEST(there == expected, "the spool has " << fmt::format("{}", fmt::join(there, " ")));
}

BOOST_AUTO_TEST_CASE(all_jobs_end_also_if_they_are_more_than_an_array_holds) {
    cluster();
    ScriptedJobs work;
    work.let_them_end();
    work.start(work.options(), ScriptedJobs::jobs(14));  // the cluster takes 6 in an array
    work.join();
    check_all_ended(work, 14);
    BOOST_TEST(work.starts_of("attempt-13") == 1);
    BOOST_TEST(SlurmCluster::output_of({"squeue", "--noheader", "--states=PENDING,RUNNING"}) == "");
}

BOOST_AUTO_TEST_CASE(killed_jobs_and_a_lost_node_change_nothing) {
    cluster();
    ScriptedJobs work;
    work.start(work.options(), ScriptedJobs::jobs(6));
    cluster().wait_until("two jobs run", [&] { return work.begun() == 2; });
    // One is cancelled, the other one's process is killed.
    const std::string task =
        SlurmCluster::output_of({"squeue", "--noheader", "--states=RUNNING", "--format=%i"});
    BOOST_TEST_REQUIRE(task.find('_') != std::string::npos);
    run_tool({"scancel", task.substr(0, task.find('\n'))});
    cluster().wait_until("another job begins in its place", [&] { return work.begun() == 3; });
    const std::string pids = data::read_file(work.folder() / ("starts/attempt-1"));
    kill(std::stoi(pids), SIGKILL);
    cluster().wait_until("a fourth job begins", [&] { return work.begun() == 4; });
    // The node goes down with two jobs on it, and comes back.
    cluster().set_node("down");
    cluster().wait_until("the node is down", [] { return SlurmCluster::state().starts_with("down"); });
    cluster().kill_node();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    cluster().start_node();
    cluster().set_node("resume");
    cluster().wait_until("the node is back", [] { return !SlurmCluster::state().starts_with("down"); });
    BOOST_TEST(work.begun() == 4, "the two lost tasks wait");
    SlurmCluster::start_requeued_now();
    work.let_them_end();
    work.join();
    check_all_ended(work, 6);
    int starts = 0;
    for (const Job& job : ScriptedJobs::jobs(6)) starts += work.starts_of(job.name);
    BOOST_TEST(starts >= 10,
               "two jobs were killed and two were lost with the node, so they began twice: " << starts);
    BOOST_TEST(work.notes.size() >= 2U);
}

BOOST_AUTO_TEST_CASE(a_job_that_never_has_a_result_is_a_fault_with_its_last_words) {
    cluster();
    ScriptedJobs work;
    work.let_them_end();
    work.folder().write("fail-attempt-1", "");
    work.start(work.options(), ScriptedJobs::jobs(3));
    work.join();
    BOOST_TEST(work.failure == "");
    BOOST_TEST(work.ended.size() == 3U);
    BOOST_TEST(work.starts_of("attempt-1") == 3);
    BOOST_TEST(data::read_file(work.spool() / "attempt-1.fault") ==
               "Slurm ended the job 3 times before it had a result: no luck");
    BOOST_TEST(fs::exists(work.spool() / "attempt-0.json"));
}

BOOST_AUTO_TEST_CASE(what_slurm_refuses_is_said_in_its_words) {
    cluster();
    ScriptedJobs work;
    SlurmOptions options = work.options();
    options.rules.partition = "no_such_partition";
    work.start(options, ScriptedJobs::jobs(1));
    work.join();
    BOOST_TEST(work.failure.find("invalid partition specified: no_such_partition") != std::string::npos,
               work.failure);
    options.rules.partition.clear();
    options.rules.gres = "gpu:1";
    work.start(options, ScriptedJobs::jobs(1));
    work.join();
    BOOST_TEST(work.failure.find("Slurm does not take the jobs") == 0U, work.failure);
    BOOST_TEST(fs::is_empty(work.spool()));
}

BOOST_AUTO_TEST_CASE(an_interrupted_engine_ends_its_jobs) {
    cluster();
    ScriptedJobs work;
    fs::create_directory(work.folder() / "elsewhere");
    std::vector<Job> jobs = ScriptedJobs::jobs(4);
    const SlurmOptions options = work.options();
    work.folder().write("spool/attempt-3.json", "result of attempt-3\n");  // of an earlier run
    struct Stop : std::exception {};
    BOOST_CHECK_THROW(slurm_engine(work.spool(), options)->run(jobs, [](const Job&) { throw Stop(); }), Stop);
    BOOST_TEST(work.begun() == 0);  // what is in the spool already is taken in before anything is submitted
    jobs.pop_back();
    std::thread later([&] {
        cluster().wait_until("two jobs run", [&] { return work.begun() == 2; });
        work.folder().write("spool/attempt-0.json", "result of attempt-0\n");
    });
    BOOST_CHECK_THROW(slurm_engine(work.spool(), options)->run(jobs, [](const Job&) { throw Stop(); }), Stop);
    later.join();
    cluster().wait_until("the queue is empty", [] {
        return SlurmCluster::output_of({"squeue", "--noheader"}).empty();
    });
}

BOOST_AUTO_TEST_CASE(the_next_start_ends_what_a_killed_one_left_and_runs_it_once_more) {
    cluster();
    ScriptedJobs work;
    const SlurmOptions options = work.options();
    const pid_t child = fork();
    if (child == 0) {
        try {
            slurm_engine(work.spool(), options)->run(ScriptedJobs::jobs(4), [](const Job&) {});
        } catch (...) {
        }
        _exit(0);
    }
    cluster().wait_until("two jobs run", [&] { return work.begun() == 2; });
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_TEST(SlurmCluster::output_of({"squeue", "--noheader"}) != "", "the array outlives its process");
    work.start(options, ScriptedJobs::jobs(4));
    cluster().wait_until("both jobs run again", [&] {
        return work.starts_of("attempt-0") == 2 && work.starts_of("attempt-1") == 2;
    });
    work.let_them_end();
    work.join();
    check_all_ended(work, 4);
}

BOOST_AUTO_TEST_CASE(jobs_that_measure_speed_run_one_after_the_other_and_scratch_is_the_nodes) {
    cluster();
    ScriptedJobs work;
    SlurmOptions options = work.options();
    options.rules.scratch = work.folder() / "node scratch";
    fs::create_directory(options.rules.scratch);
    std::vector<Job> jobs = ScriptedJobs::jobs(2);
    for (Job& job : jobs) job.speed = true;
    work.start(options, jobs);
    cluster().wait_until("a job runs", [&] { return work.begun() == 1; });
    std::this_thread::sleep_for(
        std::chrono::seconds(3));  // the second processor is free, but the node is not shared
    BOOST_TEST(work.begun() == 1);
    work.let_them_end();
    work.join();
    check_all_ended(work, 2);
    const std::string line = data::read_file(work.folder() / "starts/attempt-0");
    BOOST_TEST(line.find((options.rules.scratch / "attention_lab-").string()) != std::string::npos, line);
}

/// The rows of a query, a line each.
std::vector<std::string> rows_of(const fs::path& class_folder, const std::string& query, int columns) {
    Database database(class_folder / "gradebook.db", Database::Access::read);
    std::vector<std::string> rows;
    for (Statement statement(database, query); statement.step();) {
        std::string row;
        for (int k = 0; k < columns; ++k) row += statement.text(k) + "|";
        rows.push_back(row);
    }
    return rows;
}

/// All reports of a class, as JSON.
std::vector<std::string> reports_of(const fs::path& class_folder) {
    Database database(class_folder / "gradebook.db", Database::Access::read);
    std::vector<std::string> reports;
    Statement row(database, "SELECT report FROM result WHERE report IS NOT NULL ORDER BY key");
    while (row.step()) reports.push_back(report::to_json(unpacked_report(row.text(0))));
    return reports;
}

BOOST_AUTO_TEST_CASE(a_class_has_the_same_gradebook_as_with_the_local_engine) {
    cluster();
    const data::TemporaryDirectory folder;
    const std::string program = (testing::built_grader().parent_path() / "grader-class").string();
    const std::string local = (folder / "local").string(), remote = (folder / "remote").string();
    const auto type = [&](std::vector<std::string> words) {
        words.insert(words.begin(), program);
        const auto result = run_tool(words);
        BOOST_TEST_REQUIRE(result.has_value());
        BOOST_TEST(result->exit_code == 0, fmt::format("{}: {}", fmt::join(words, " "), result->output));
    };
    // Eight students: right, four slips, a stub, one that does not compile, one that is refused.
    const fs::path sources = testing::built().sources;
    const std::string right =
        data::read_file(sources / "grader/assignments/self_attention/proof/solution.cpp");
    const auto edited = [&](const std::string& what, const std::string& instead) {
        std::string text = right;
        return text.replace(text.find(what), what.size(), instead);
    };
    const std::vector<std::string> texts = {right,
                                            edited("dot / scale", "dot"),
                                            edited("std::sqrt(float(D_q))", "float(D_q)"),
                                            edited("std::sqrt(float(D_q))", "std::sqrt(float(N_k))"),
                                            edited("K(b, j, d)", "K(b, d, j)"),
                                            data::read_file(sources / "student/self_attention.cpp"),
                                            right + "int main( {\n"};
    fs::create_directory(folder / "download");
    for (std::size_t k = 0; k < texts.size(); ++k) {
        fs::create_directory(folder / fmt::format("download/Student {}", k));
        folder.write(fmt::format("download/Student {}/self_attention.cpp", k), texts[k]);
    }
    fs::create_directory(folder / "download/Student 7");
    folder.write("download/Student 7/essay.txt", "I could not do it.");
    type({"init", local, "--assignment", "2", "--public-seed"});
    std::string rules = data::read_file(local + "/class.toml");
    const std::string speed = "speed = true ";
    BOOST_TEST_REQUIRE(rules.find(speed) != std::string::npos);
    rules.replace(rules.find(speed), speed.size(), "speed = false");
    folder.write("local/class.toml", rules + "\n[slurm]\nprocessors = 1\nmemory_mib = 400\n");
    type({"add", "--class", local, (folder / "download").string()});
    fs::copy(local, remote, fs::copy_options::recursive);
    fs::permissions(remote, fs::perms::owner_all);
    type({"grade", "--class", local, "--jobs", "2"});
    std::atomic<bool> graded = false;
    std::thread grading([&] {
        type({"grade", "--class", remote, "--engine", "slurm"});
        graded = true;
    });
    std::string failure;
    try {
        const auto running = [] {
            return SlurmCluster::output_of({"squeue", "--noheader", "--states=RUNNING", "--format=%i"});
        };
        cluster().wait_until("a job runs", [&] { return !running().empty(); });
        const std::string tasks = running();
        run_tool({"scancel", tasks.substr(0, tasks.find('\n'))});
        cluster().wait_until("another one runs", [&] { return !running().empty() && running() != tasks; });
        cluster().set_node("down");
        cluster().wait_until("the node is down", [] { return SlurmCluster::state().starts_with("down"); });
        cluster().kill_node();
        cluster().start_node();
        cluster().set_node("resume");
        cluster().wait_until("the node is back", [] { return !SlurmCluster::state().starts_with("down"); });
    } catch (const std::exception& error) {
        failure = error.what();
    }
    while (!graded) {
        cluster().keep_going();
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    grading.join();
    BOOST_TEST(failure == "");
    const std::string results = "SELECT key, kind, content, common, parts, refused FROM result ORDER BY key";
    const std::string marks =
        "SELECT student, attempt, raw, out_of, final FROM version_mark ORDER BY student";
    const auto each = boost::test_tools::per_element();
    BOOST_TEST(rows_of(local, results, 6).size() == 8U);
    BOOST_TEST(rows_of(local, results, 6) == rows_of(remote, results, 6), each);
    BOOST_TEST(reports_of(local) == reports_of(remote), each);
    BOOST_TEST(rows_of(local, marks, 5).size() >= 7U);
    BOOST_TEST(rows_of(local, marks, 5) == rows_of(remote, marks, 5), each);
    BOOST_TEST(rows_of(remote, "SELECT text FROM fault", 1).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
