// The commands of `grader class`, as programs: what they say, and that nothing that ends one of them does any
// harm.

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/classes/engine/engine.h"
#include "grader/classes/gradebook/database.h"
#include "grader/cli/program.h"
#include "grader/testing/built.h"
#include "grader/testing/fake_grader.h"
#include "grader/testing/run_grader.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(class_commands, *boost::unit_test::label("long"))

namespace fs = std::filesystem;
using cli::contains;
using cli::Run;
using cli::run_class;
using cli::Words;

fs::path class_program() {
    return testing::built_grader().parent_path() / "grader-class";
}

/// What a command prints that has to succeed.
std::string must(const Words& words, const fs::path& directory) {
    const Run run = run_class(words, directory);
    BOOST_TEST_REQUIRE(run.exit_code == 0, words.front() << ": " << run.text);
    return run.text;
}

/// A class with submissions that a fake grader answers.
struct FakeClass {
    data::TemporaryDirectory place;
    testing::FakeGrader grader;
    fs::path folder = place / "autumn";

    /// `seconds`: how long each submission takes.
    explicit FakeClass(int submissions, const std::string& seconds = "") {
        const rubric::Rubric rubric = rubric::read_rubric(testing::built().assignments / "02_self_attention");
        for (int k = 0; k < submissions; ++k) {
            const fs::path one = place / fmt::format("work/student{}", k);
            testing::write_fake_submission(
                one, rubric, k % 3 == 0 ? std::set<std::string>{"softmax"} : std::set<std::string>{},
                std::to_string(k));
            if (!seconds.empty()) std::ofstream(one / "seconds") << seconds;
        }
        must({"init", "autumn", "--assignment", "2", "--public-seed"}, place.path());
        edit_rules("speed = true", "speed = false");
        must({"add", (place / "work").string()}, folder);
    }

    void edit_rules(const std::string& from, const std::string& to) const {
        std::string rules = data::read_file(folder / "class.toml");
        BOOST_TEST_REQUIRE(contains(rules, from));
        rules.replace(rules.find(from), from.size(), to);
        std::ofstream(folder / "class.toml") << rules;
    }

    Words grade_words() const { return {"grade", "--grader", grader.program().string(), "--jobs", "2"}; }

    /// A copy of the class as it is now.
    fs::path copy(const std::string& name) const {
        fs::copy(folder, place / name, fs::copy_options::recursive);
        return place / name;
    }
};

/// Everything in a gradebook that does not tell when something happened, a line for each row.
std::vector<std::string> rows_of(const fs::path& folder) {
    Database database = open_gradebook(folder / "gradebook.db", Database::Access::write);
    std::vector<std::string> rows;
    for (const char* query :
         {"SELECT id || name || pseudonym FROM student ORDER BY id",
          "SELECT number || label || content FROM attempt ORDER BY number",
          "SELECT attempt || ' ' || student FROM attempt_student ORDER BY attempt, student",
          "SELECT key || kind || content || common || parts || coalesce(refused, '') || hex(report) FROM "
          "result ORDER BY key",
          "SELECT key || attempt || tries || text FROM fault ORDER BY key",
          "SELECT id || rubric || secret_cases || secret || speed FROM version ORDER BY id",
          "SELECT version || ' ' || attempt || numbers FROM version_attempt ORDER BY version, attempt",
          "SELECT version || ' ' || student || ' ' || attempt || explanation || final FROM version_mark "
          "ORDER BY version, student"}) {
        Statement row(database, query);
        while (row.step()) rows.push_back(row.text(0));
    }
    return rows;
}

/// Starts `grader-class` with these words in a folder. `limit_bytes`: files cannot grow beyond this.
pid_t start_class(const Words& words, const fs::path& directory, std::size_t limit_bytes = 0) {
    std::vector<std::string> texts{class_program().string()};
    texts.insert(texts.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& text : texts) argv.push_back(text.data());
    argv.push_back(nullptr);
    const std::string folder = directory.string(), log = (directory / "log").string();
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
    if (chdir(folder.c_str()) != 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(99);
    if (limit_bytes > 0) {
        const rlimit limit{limit_bytes, limit_bytes};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    execv(argv[0], argv.data());
    _exit(98);
}

bool is_private(const fs::path& folder) {
    return (fs::status(folder).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
           fs::perms::none;
}

int wait_for(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

BOOST_AUTO_TEST_CASE(help_shows_examples_and_mistakes_show_what_to_type) {
    const data::TemporaryDirectory place;
    const auto says = [&place](const Words& words, int code, const std::string& text) {
        const Run run = run_class(words, place.path());
        BOOST_TEST(run.exit_code == code, run.text);
        BOOST_TEST(contains(run.text, text), text << " is not in: " << run.text);
    };
    for (const char* command : {"init", "add", "grade", "status", "show", "publish", "override", "hold",
                                "late", "replace", "export", "report", "similarity", "work"})
        says({command, "--help"}, 0, std::string("usage: grader class ") + command);
    says({"--help"}, 0, "usage: grader class COMMAND");
    says({"grad"}, 2, "there is no command 'grad'");
    says({"status"}, 2, "grader class init DIR");
    says({"init", "autumn"}, 2, "--assignment N");
    says({"init", "autumn", "-a", "2", "--due", "tomorrow"}, 2, "'tomorrow' is not a moment");
    says({"init", "autumn", "-a", "2"}, 0, "Made autumn");
    says({"init", "autumn", "-a", "2"}, 2, "there is already something here");
    says({"status", "--class", "autumn"}, 2, "there is no gradebook yet");
    says({"add", "--class", "autumn", "none.zip"}, 2, "none.zip");
    says({"status", "--class", "autumn", "-a", "7"}, 2, "no exercise 7");
    says({"grade", "--class", "autumn", "-j", "0"}, 2, "--jobs has to be 1 or more");
    says({"export", "--class", "autumn", "--to", "csv", "--grades", "m.csv"}, 2, "are published");
    says({"override", "--class", "autumn", "nobody", "5"}, 2, "--reason");
    says({"override", "--class", "autumn", "nobody", "5", "--reason", "r"}, 2,
         "there is no student 'nobody'");
    says({"override", "--class", "autumn", "nobody", "-5", "--reason", "r"}, 2, "");
    says({"override", "--class", "autumn", "nobody", "many", "--reason", "r"}, 2,
         "'many' is no number of points");
}

BOOST_AUTO_TEST_CASE(the_folder_is_for_its_owner_alone) {
    const FakeClass test(1);
    BOOST_TEST(is_private(test.folder));
    fs::permissions(test.folder, fs::perms::group_read | fs::perms::group_exec, fs::perm_options::add);
    BOOST_TEST(contains(must({"status"}, test.folder), "other users could enter this folder"));
    BOOST_TEST(is_private(test.folder));
    // No name of a file below tells whose it is.
    for (const auto& each : fs::recursive_directory_iterator(test.folder / "attempts"))
        BOOST_TEST(!contains(each.path().lexically_relative(test.folder).string(), "student"), each.path());
}

BOOST_AUTO_TEST_CASE(a_mark_goes_its_way_from_the_download_to_the_export) {
    const FakeClass test(3);
    const std::string graded = must(test.grade_words(), test.folder);
    BOOST_TEST(contains(graded, "3 graded, 0 not gradable, 0 unchanged"), graded);
    const Words grader{"--grader", test.grader.program().string()};
    const auto with_grader = [&grader](Words words) {
        words.insert(words.end(), grader.begin(), grader.end());
        return words;
    };
    BOOST_TEST(contains(must(with_grader({"show", "student0"}), test.folder), "mark: 65 of 85"));
    BOOST_TEST(contains(must({"publish"}, test.folder), "Published: 3 marks"));
    const std::string changed = must(
        with_grader({"override", "student0", "70", "--reason", "oral exam", "--author", "X"}), test.folder);
    BOOST_TEST(contains(changed, "65 ->      70   70 instead of 65 of 85 (oral exam; decided by X)"),
               changed);
    BOOST_TEST(!contains(changed, "student1"), changed);
    BOOST_TEST(contains(must({"hold", "student1", "--reason", "talk first"}, test.folder),
                        "The mark of student1 for assignment 2 (85 of 85) is held back from exports."));
    // What is exported is what was published, without the mark that is held.
    const std::string exported = must({"export", "--to", "csv", "--grades", "m.csv"}, test.folder);
    BOOST_TEST(contains(exported, "marks of 2 students"), exported);
    const std::string table = data::read_file(test.folder / "m.csv");
    BOOST_TEST(contains(table, "65 of 85"));
    BOOST_TEST(!contains(table, "70 instead"));
    const std::string status = must(with_grader({"status"}), test.folder);
    for (const char* text :
         {"3 students, 3 attempts, 3 graded", "held back: 1", "3 marks published", "1 of them differ"})
        BOOST_TEST(contains(status, text), status);
    // The same download again adds nothing.
    BOOST_TEST(
        contains(must({"add", (test.place / "work").string()}, test.folder), "3 hand-ins, 0 of them new"));
}

BOOST_AUTO_TEST_CASE(a_decision_shows_what_it_changed_and_no_other_marks) {
    const FakeClass test(30);
    must(test.grade_words(), test.folder);
    const Words grader{"--grader", test.grader.program().string()};
    const auto lines_of = [&](Words words) {
        words.insert(words.end(), grader.begin(), grader.end());
        return must(words, test.folder);
    };
    const std::string set = lines_of({"override", "student3", "12", "--reason", "r", "--author", "X"});
    BOOST_TEST(contains(set, "65 ->      12   12 instead of 65 of 85 (r; decided by X)"), set);
    BOOST_TEST(std::ranges::count(set, '\n') == 2, set);
    // The same again changes no mark.
    BOOST_TEST(contains(lines_of({"override", "student3", "12", "--reason", "r", "--author", "X"}),
                        "No mark changes"));
    const std::string back = lines_of({"override", "student3", "--withdraw", "--reason", "r"});
    BOOST_TEST(contains(back, "12 ->      65   65 of 85"), back);
    // Marks that differ for another reason are counted, not listed.
    test.edit_rules("# due = \"2026-11-20", "due = \"2020-11-20");
    const std::string late = lines_of({"late", "student4", "2020-11-21T20:00+01:00", "--reason", "r"});
    BOOST_TEST(contains(late, "student4"), late);
    BOOST_TEST(contains(late, "85 ->    76.5   85 of 85, 1 day late: 10 % a day, 8.5 off, 76.5"), late);
    BOOST_TEST(!contains(late, "student5"), late);
}

BOOST_AUTO_TEST_CASE(a_time_is_corrected_and_files_are_replaced_by_hand) {
    const FakeClass test(2);
    const Words grader{"--grader", test.grader.program().string()};
    const auto run = [&](Words words, const fs::path& folder) {
        words.insert(words.end(), grader.begin(), grader.end());
        return run_class(words, folder);
    };
    const auto says = [&](const Words& words, int code, const std::string& text) {
        const Run one = run(words, test.folder);
        BOOST_TEST(one.exit_code == code, one.text);
        BOOST_TEST(contains(one.text, text), text << " is not in: " << one.text);
    };
    test.edit_rules("# due = \"2026-11-20T23:59:00+01:00", "due = \"2026-11-20 23:59");
    test.edit_rules("# zone = ", "zone = ");
    // The third one handed in what is no archive, and the platform's times are known.
    fs::create_directory(test.place / "more");
    test.place.write("more/student2.zip", "this is no zip");
    must({"add", (test.place / "more").string()}, test.folder);
    test.place.write("times.csv",
                     "login,time\nstudent0,2026-11-20 23:30\nstudent1,2026-11-22 10:00\n"
                     "student2,2026-11-21 12:00\n");
    must({"add", "--times", (test.place / "times.csv").string()}, test.folder);
    must(test.grade_words(), test.folder);
    says({"show", "student1"}, 0, "2 days late: 10 % a day, 17 off, 68");
    says({"show", "student1"}, 0, "attempts/2, 2026-11-22T10:00:00+01:00 (the teacher's table), counts: ");
    says({"late", "student1", "2026-11-20 23:50", "--reason", "by e-mail"}, 0,
         "attempts/2: 2026-11-20T23:50:00+01:00 (a correction: by e-mail) instead of "
         "2026-11-22T10:00:00+01:00 (the teacher's table)");
    says({"show", "student1"}, 0,
         "mark: 85 of 85; handed in 2026-11-20T23:50:00+01:00 (a correction: by e-mail)");
    says({"late", "student1", "--withdraw", "--reason", "was student 0"}, 0, "85 ->      68");
    says({"late", "student1", "2026-11-20 23:50"}, 2, "--reason");
    says({"late", "student1", "yesterday", "--reason", "r"}, 2, "'yesterday' is no time that can be read");
    says({"late", "nobody", "2026-11-20 23:50", "--reason", "r"}, 2, "there is no student 'nobody'");

    says({"status"}, 0, "cannot be graded: 1\n    student2, 2026-11-21T12:00:00+01:00: ");
    const std::string repaired = (test.place / "work/student1").string();
    says({"replace", "student1", repaired}, 2, "the last of student1, can be graded");
    says({"replace", "student2", (test.place / "missing").string()}, 2, "missing");
    says({"replace", "student2", (test.place / "times.csv").string()}, 2, "times.csv");
    fs::create_directory(test.place / "empty");
    says({"replace", "student2", (test.place / "empty").string()}, 2, "there is no file in it");
    test.place.write("big.cpp", "");
    fs::resize_file(test.place / "big.cpp", std::uintmax_t{1} << 34);
    says({"replace", "student2", (test.place / "big.cpp").string()}, 2, "big.cpp: this file has more than");
    says({"replace", "student2", repaired, "--reason", "packed again", "--author", "X"}, 0,
         "student2: attempts/4 is in the place of attempts/3, with the same time: 2026-11-21T12:00:00+01:00");
    says({"replace", "student2", repaired}, 2, "the last of student2, can be graded");
    must(test.grade_words(), test.folder);
    says({"show", "student2"}, 0, "note: the files were replaced by X: packed again");
    says({"show", "student2"}, 0, "mark: 85 of 85, 1 day late: 10 % a day, 8.5 off, 76.5");
    says({"status"}, 0, "3 students, 3 attempts, 3 graded");
    // The download that cannot be read does not come back.
    says({"add", (test.place / "more").string()}, 0, "1 hand-ins, 0 of them new");
    says({"export", "--to", "csv", "--last", "--grades", "m.csv"}, 0, "marks of 3 students");
}

BOOST_AUTO_TEST_CASE(show_says_why_points_are_lost) {
    const FakeClass test(2);
    rubric::Rubric rubric = rubric::read_rubric(testing::built().assignments / "02_self_attention");
    report::Report report = testing::fake_report(rubric, {"softmax"});
    for (report::Check& check : report.assignments[0].parts[0].checks)
        if (check.outcome == Outcome::wrong) {
            check.diagnosis =
                report::Diagnosis{{"no_maximum"}, "It seems that the largest value is not subtracted.", {}};
            check.max_points = 1;
        }
    std::ofstream(test.folder / "attempts/1/report.json") << report::to_json(report);
    report = testing::fake_report(rubric, {});
    report.assignments[0].sources[0] = {rubric.sources.front(), true, false,
                                        "self_attention.cpp:7:3: error: 'flaot' was not declared\n"};
    for (report::Part& part : report.assignments[0].parts)
        for (report::Check& check : part.checks) check.outcome = Outcome::not_compiled;
    std::ofstream(test.folder / "attempts/2/report.json") << report::to_json(report);
    must(test.grade_words(), test.folder);
    const auto show = [&](const char* who) {
        return must({"show", who, "--grader", test.grader.program().string()}, test.folder);
    };
    const std::string wrong = show("student0"), broken = show("student1");
    BOOST_TEST(contains(wrong, "softmax: wrong"), wrong);
    BOOST_TEST(contains(wrong, "the largest value is not subtracted"), wrong);
    BOOST_TEST(contains(broken, "self_attention.cpp: does not compile"), broken);
    BOOST_TEST(!contains(broken, "does not compile, does not compile"), broken);
    BOOST_TEST(contains(broken, "self_attention.cpp:7:3: error: 'flaot' was not declared"), broken);
    const fs::path page = fs::canonical(test.folder) / "pages/1.html";
    BOOST_TEST(contains(wrong, "page: " + page.string()), wrong);
    BOOST_TEST(contains(data::read_file(page), "no_maximum"));
}

BOOST_AUTO_TEST_CASE(killed_at_any_moment_and_resumed_it_is_the_same_gradebook) {
    const FakeClass test(12, "0.05");
    const fs::path undisturbed = test.copy("undisturbed"), killed = test.copy("killed");
    const auto start = std::chrono::steady_clock::now();
    must(test.grade_words(), undisturbed);
    const double whole_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    test.grader.calls();
    const int kills = std::getenv("ATTN_ALL_TESTS") != nullptr ? 50 : 5;
    std::mt19937 random(5);
    int killed_under_way = 0;
    for (int k = 0; k < kills; ++k) {
        // A class that is graded is copied anew, so that every kill meets work.
        if (k % 10 == 9) {
            must(test.grade_words(), killed);
            BOOST_TEST(rows_of(killed) == rows_of(undisturbed), boost::test_tools::per_element());
            fs::remove_all(killed);
            fs::copy(test.folder, killed, fs::copy_options::recursive);
        }
        const pid_t pid = start_class(test.grade_words(), killed);
        const double wait_s = std::uniform_real_distribution<double>(0.01, whole_s)(random);
        std::this_thread::sleep_for(std::chrono::duration<double>(wait_s));
        kill(pid, SIGKILL);
        killed_under_way += wait_for(pid) == -SIGKILL;
    }
    must(test.grade_words(), killed);
    BOOST_TEST(rows_of(killed) == rows_of(undisturbed), boost::test_tools::per_element());
    BOOST_TEST(killed_under_way > 0);
    BOOST_TEST(fs::is_empty(killed / "spool"));
}

/// What a file has that another process may be writing: read_file() refuses one that grows.
std::string printed_so_far(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

BOOST_AUTO_TEST_CASE(two_processes_on_one_class_cannot_hurt_each_other) {
    const FakeClass test(4);
    const fs::path undisturbed = test.copy("undisturbed");
    test.grader.hold();
    const pid_t first = start_class(test.grade_words(), test.folder);
    while (!contains(printed_so_far(test.folder / "log"), "0 of 4"))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (const Words& words :
         {test.grade_words(), Words{"publish"}, Words{"add", (test.place / "work").string()},
          Words{"hold", "student1", "--reason", "r"}}) {
        const Run second = run_class(words, test.folder);
        BOOST_TEST(second.exit_code == 2);
        BOOST_TEST(contains(second.text, "another `grader class` is writing to this class"), second.text);
    }
    const std::string status = must({"status", "--grader", test.grader.program().string()}, test.folder);
    BOOST_TEST(contains(status, "4 attempts, 0 graded"), status);
    test.grader.release();
    BOOST_TEST(wait_for(first) == 0);
    must(test.grade_words(), undisturbed);
    BOOST_TEST(rows_of(test.folder) == rows_of(undisturbed), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_a_clear_line_and_loses_nothing) {
    const FakeClass test(12);
    const fs::path undisturbed = test.copy("undisturbed");
    // The log of SQLite is the file that grows.
    constexpr std::size_t kRoom = 80 * 1024;
    BOOST_TEST(wait_for(start_class(test.grade_words(), test.folder, kRoom)) == 2);
    const std::string said = data::read_file(test.folder / "log");
    BOOST_TEST(contains(said, "gradebook.db: the disk "), said);
    BOOST_TEST(contains(said, "nothing that was finished is lost"), said);
    must(test.grade_words(), test.folder);
    must(test.grade_words(), undisturbed);
    BOOST_TEST(rows_of(test.folder) == rows_of(undisturbed), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_interrupt_keeps_what_is_finished) {
    const FakeClass test(6, "0.3");
    const pid_t pid = start_class(test.grade_words(), test.folder);
    // The first line of progress says that it has begun. On a busy machine that takes a while.
    const auto has_begun = [&test] {
        std::error_code missing;
        const auto size = fs::file_size(test.folder / "log", missing);
        return !missing && size > 0;
    };
    for (int k = 0; k < 400 && !has_begun(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kill(pid, SIGINT);
    BOOST_TEST(wait_for(pid) == cli::kInterrupted);
    BOOST_TEST(contains(data::read_file(test.folder / "log"), "every result that was finished is kept"));
    BOOST_TEST(contains(must(test.grade_words(), test.folder), " graded, 0 not gradable"));
}

BOOST_AUTO_TEST_CASE(a_job_runs_on_another_machine_from_its_file) {
    const FakeClass test(1);
    Job job;
    job.name = "job-1";
    job.submission = test.folder / "attempts/1";
    job.assignment = 2;
    job.parts = {"softmax"};
    std::ofstream(test.place / "job-1.job") << job_text(job);
    must({"work", (test.folder / "spool").string(), (test.place / "job-1.job").string(), "--grader",
          test.grader.program().string()},
         test.place.path());
    BOOST_TEST(fs::exists(ending_file(test.folder / "spool", "job-1", Ending::graded)));
    BOOST_TEST(test.grader.calls().at(0) == "1 part_softmax");
    BOOST_CHECK_THROW(read_job("{}"), UserError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
