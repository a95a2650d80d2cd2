// Runs the built grader from the command line: exit codes and messages.

#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "grader/proof/harness.h"
#include "grader/report/json.h"
#include "grader/sandbox/layers.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(commands, *boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(missing_and_unknown_arguments_show_the_usage) {
    check_run({}, 2, {"a command is missing", "usage: grader COMMAND", "grader list"});
    check_run({"grde", "student"}, 2, {"no command 'grde'", "usage: grader COMMAND"});
    check_run({"grade", "student", "--sed", "1"}, 2, {"--sed", "usage: grader grade SUBMISSION"});
    check_run({"grade", "student", "--nospeed"}, 2,
              {"there is no option --nospeed. Did you mean --no-speed?"});
    check_run({"grade", "student", "no-speed"}, 2, {"\"no-speed\" is one word too many"});
    check_run({"grade"}, 2, {"give one folder", "usage: grader grade SUBMISSION"});
    check_run({"grade", "student", "student"}, 2, {"give one folder", "usage: grader grade SUBMISSION"});
    check_run({"grade", "student", "--assignment", "two"}, 2,
              {"--assignment two: there is no assignment or function of this name", "such as 2 or masking"});
    check_run({"grade", "student", "--assignment", "maskin"}, 2, {"Did you mean masking?"});
    check_run({"list", "--assignment", "softmax"}, 0, {"2  Self-attention"});
    check_run({"run"}, 2, {"give one function", "usage: grader run FUNCTION"});
    check_run({"list", "2"}, 2, {"takes no arguments", "usage: grader list"});
}

BOOST_AUTO_TEST_CASE(help_shows_examples) {
    for (const char* word : {"--help", "-h", "help"})
        check_run({word}, 0, {"usage: grader COMMAND", "for example: grader grade student"});
    check_run({"grade", "--help"}, 0,
              {"usage: grader grade SUBMISSION", "\n  grader grade submission.zip\n",
               "\n  grader grade student --assignment 2", "--seed", "--junit", "Exit code: 0"});
    check_run({"run", "--help"}, 0,
              {"usage: grader run FUNCTION", "\n  grader run softmax --in X=x.npy", "--impl"});
    check_run({"list", "--help"}, 0, {"usage: grader list", "Shows the assignments"});
}

BOOST_AUTO_TEST_CASE(two_reports_are_compared) {
    const TestFolder test_folder;
    const std::string stub = test_folder.file("stub.json"), demo = test_folder.file("demo.json");
    check_run({"grade", "student", "-a", "2", "--no-speed", "--json", stub}, 1, {});
    check_run({"grade", "grader/proof/demo", "-a", "2", "--no-speed", "--json", demo}, 1, {});
    // There are no pictures of outputs that were never written.
    BOOST_TEST(!contains(data::read_file(stub), "\"pictures\""));
    BOOST_TEST(contains(data::read_file(demo), "\"pictures\""));
    check_run({"diff", stub, demo}, 0,
              {"note: the reports are of two submissions: student and grader/proof/demo", "+20\n",
               "\nbetter\n", "2.softmax.ragged: not implemented -> passed"});
    check_run({"diff", demo, stub}, 1, {"\nworse\n", "2.softmax.ragged: passed -> not implemented"});
    check_run({"diff", demo, demo}, 0, {"No check has a different result."});
    check_run({"diff", demo}, 2, {"give two reports", "usage: grader diff OLD.json NEW.json"});
    check_run({"diff", demo, "README.md"}, 2, {"README.md: this is no JSON", "--json FILE"});
    check_run({"diff", demo, test_folder.file("none.json")}, 2, {"none.json"});
}

/// A file of an earlier run cannot be taken for this run's report, whatever ends this run.
BOOST_AUTO_TEST_CASE(a_run_that_fails_leaves_no_report_of_an_earlier_run) {
    const TestFolder test_folder;
    const std::vector<std::string> formats = {"json",        "full-json", "markdown",   "html",
                                              "csv",         "junit",     "gradescope", "prairielearn",
                                              "classroom50", "autolab"};
    const std::vector<Words> ends = {{"grade", test_folder.file("nothing")},
                                     {"grade", "student", "--seed-file", test_folder.file("nothing")},
                                     {"grade", "student", "--quiet", "--verbose"},
                                     {"grade", "student", "-a", "77"}};
    for (Words words : ends) {
        for (const std::string& format : formats) {
            test_folder.folder.write(format, "of an earlier run");
            words.push_back("--" + format);
            words.push_back(test_folder.file(format));
        }
        words.insert(words.end(), {"--classroom-name", "a", "--classroom-assignment", "b"});
        check_run(words, 2, {});
        for (const std::string& format : formats)
            BOOST_TEST(!std::filesystem::exists(test_folder.file(format)), format);
    }
    // What is no file of an earlier run stays.
    std::filesystem::create_directory(test_folder.file("folder"));
    check_run({"grade", test_folder.file("nothing"), "--json", test_folder.file("folder")}, 2, {});
    BOOST_TEST(std::filesystem::is_directory(test_folder.file("folder")));
    check_run({"grade", test_folder.file("nothing"), "--json", "/dev/null"}, 2, {});
    BOOST_TEST(std::filesystem::exists("/dev/null"));
}

BOOST_AUTO_TEST_CASE(a_run_says_what_became_better_since_the_report_that_it_replaces) {
    const TestFolder test_folder;
    const std::string json = test_folder.file("report.json");
    const Words grade = {"grade", "grader/proof/demo", "-a", "2", "--no-speed", "--json", json};
    BOOST_TEST(!contains(run_grader(grade).text, "Since "));
    report::Report earlier = report::from_json(data::read_file(json));
    for (report::Check& check : earlier.assignments.at(0).parts.at(0).checks) {
        check.outcome = Outcome::wrong;
        check.points = 0;
    }
    data::write_file(json, report::to_json(earlier));
    const Run better = run_grader(grade);
    BOOST_TEST(contains(better.text, ": +"), better.text);
    BOOST_TEST(contains(better.text, " checks better.\n"), better.text);
    data::write_file(json, "{");
    BOOST_TEST(!contains(run_grader(grade).text, "Since "));
    BOOST_TEST(contains(run_grader(grade).text, ": nothing changed.\n"));
}

BOOST_AUTO_TEST_CASE(the_readme_shows_what_the_demo_prints) {
    const Run demo = run_grader({"grade", "grader/proof/demo", "-a", "2", "--no-speed"});
    const std::string page = data::read_file(testing::built().sources / "README.md");
    const std::string fence = "```\n";
    const std::size_t begin = page.find(fence + "   scaled_dot_product_attention, case ragged");
    BOOST_TEST_REQUIRE(begin != std::string::npos);
    const std::size_t first = begin + fence.size();
    const std::string shown = page.substr(first, page.find(fence, first) - first);
    // The page has narrower lines.
    const auto words_of = [](const std::string& text) {
        std::istringstream in(text);
        std::string words;
        for (std::string word; in >> word;) words += word + ' ';
        return words;
    };
    BOOST_TEST(contains(words_of(demo.text), words_of(shown)), demo.text);
}

BOOST_AUTO_TEST_CASE(quiet_shows_only_points_and_the_next_step) {
    const Run quiet = run_grader({"grade", "student", "-a", "2", "--no-speed", "--quiet"});
    BOOST_TEST(quiet.exit_code == 1);
    BOOST_TEST(
        squeezed(quiet.text) ==
        "2 Self-attention 0 / 85\nNext: write softmax (assignments/02_self_attention/README.md, step 1).\n "
        "make grade A=2\n");
    check_run({"grade", "student", "-q", "-v"}, 2, {"--quiet and --verbose"});
}

BOOST_AUTO_TEST_CASE(doctor_shows_every_layer_and_the_compiler) {
    const bool contained = worker::missing_layers({}).empty();
    check_run({"doctor"}, contained ? 0 : 1,
              {"environment", "identity", "cgroup", "system_calls", "poison",
               "Compiler for submissions:\n  ok", contained ? "is contained here" : "is NOT contained here"});
    check_run({"doctor", "now"}, 2, {"takes no arguments", "usage: grader doctor"});
    check_run({"doctor", "--help"}, 0, {"usage: grader doctor", "Exit code: 0"});
}

BOOST_AUTO_TEST_CASE(a_missing_layer_is_reported_and_can_be_required) {
    check_run({"grade", "student", "-a", "2", "--without", "files", "--without", "trace"}, 1,
              {"layers; missing:", "files", "trace", "`grader doctor` tells more"});
    if (worker::missing_layers({}).empty())
        BOOST_TEST(!contains(run_grader({"grade", "student", "-a", "2"}).text, "isolation"));
    check_run({"grade", "student", "-a", "2", "--without", "files", "--require-sandbox"}, 3,
              {"nothing was graded", "--require-sandbox: missing here: files", "grader doctor"});
    check_run({"grade", "student", "-a", "2", "--without", "walls"}, 2, {"no layer walls", "grader doctor"});
    if (worker::missing_layers({}).empty())
        check_run({"grade", "student", "-a", "2", "--require-sandbox"}, 1, {"not implemented yet"});
}

BOOST_AUTO_TEST_CASE(the_number_of_jobs_changes_nothing_in_a_report) {
    const data::TemporaryDirectory folder;
    for (const std::string name : {"self_attention", "multi_head", "masking", "positional_encoding"})
        folder.write(name + ".cpp", proof::solution(name));
    check_run({"grade", "student", "--jobs", "0"}, 2, {"--jobs has to be 1 or more"});
    check_run({"prepare", "2"}, 2, {"usage: grader prepare"});
    nlohmann::json reports[2];
    for (const int k : {0, 1}) {
        const std::string file = (folder / "report.json").string();
        const Run run = run_grader(
            {"grade", folder.path().string(), "--no-speed", "-j", k == 0 ? "1" : "6", "--json", file});
        BOOST_TEST(run.exit_code == 1);  // the other assignments are not handed in
        BOOST_TEST(contains(run.text, "4  Masking                           87 / 87   ok\n"), run.text);
        reports[k] = nlohmann::json::parse(data::read_file(file));
        BOOST_TEST(reports[k].erase("duration_s") == 1U);
        std::filesystem::remove(file);
    }
    BOOST_TEST((reports[0] == reports[1]));
}

BOOST_AUTO_TEST_CASE(list_shows_functions_cases_inputs_and_mistakes) {
    check_run(
        {"list", "--details"}, 0,
        {"2  Self-attention  (100 points)", kSoftmax, kAttention, "12 points for 11 cases: ragged one_column",
         "8 points for 4 properties: rows_sum_to_one",
         ("12 points for speed: normal numbers, B=1 N_q=256 N_k=256 D_q=64 D_v=64, A not wanted, 1 thread\n"
          "        1 x the plain loops 20 %, 0.5 x the yardstick 100 %"),
         ("3 points for growth: normal numbers, N_q = N_k = 64, 128, 256, 512, 1024, time at most N^0.5 more "
          "than the plain loops"),
         "overflow         scores near +-1000", "no_scale"});
}

BOOST_AUTO_TEST_CASE(grading_the_stub_says_not_implemented_yet) {
    const Run run = run_grader({"grade", "student", "-a", "2"});
    BOOST_TEST_CONTEXT(run.text) {
        BOOST_TEST(run.exit_code == 1);
        BOOST_TEST(contains(run.text, "0 / 100\n"));
        BOOST_TEST(contains(run.text, "not implemented yet"));
        BOOST_TEST(contains(run.text, "Next: write softmax"));
        BOOST_TEST(!contains(run.text, "wrong"));
        BOOST_TEST(!contains(run.text, "\x1b"));
    }
}

BOOST_AUTO_TEST_CASE(several_assignments_are_shown_in_few_lines) {
    const TestFolder test_folder;
    const Run run =
        run_grader({"grade", test_folder.submission(proof::solution("self_attention")), "--no-speed"});
    BOOST_TEST_CONTEXT(run.text) {
        BOOST_TEST(run.exit_code == 1);
        BOOST_TEST(contains(run.text, "1  RNN attention                      0 / 88   not handed in\n"));
        BOOST_TEST(contains(run.text, "2  Self-attention                    85 / 85   ok\n"));
        BOOST_TEST(
            contains(run.text, "note: speed is not measured (--no-speed), and its points do not count"));
        BOOST_TEST(!contains(run.text, "skipped"));
        BOOST_TEST(!contains(run.text, "normal numbers"));  // passed checks are not listed
        BOOST_TEST(contains(run.text, "Next: hand in rnn_attention.cpp.\n   make grade A=1 SUBMISSION="));
    }
}

BOOST_AUTO_TEST_CASE(speed_is_not_measured_if_the_numbers_are_wrong) {
    const TestFolder test_folder;
    const std::string folder =
        test_folder.submission(proof::edited(proof::solution("self_attention"), {{"dot / scale", "dot"}}));
    check_run({"grade", folder, "-a", "2", "--json", test_folder.file("report.json")}, 1,
              {"      speed   not counted yet  Not measured: first the numbers have to be right.",
               "      growth  not counted yet  Not measured", " / 100\n"});
    const auto json = nlohmann::json::parse(data::read_file(test_folder.file("report.json")));
    const auto& checks = json.at("assignments").at(0).at("parts").at(1).at("checks");
    const auto& speed = checks.at(checks.size() - 2);
    BOOST_TEST(speed.at("id") == "2.scaled_dot_product_attention.speed");
    BOOST_TEST(speed.at("outcome") == "skipped");
    BOOST_TEST(speed.at("points") == 0);
    BOOST_TEST(speed.at("max_points") == 12);
    BOOST_TEST(!speed.contains("speed"));
}

BOOST_AUTO_TEST_CASE(the_next_step_is_in_an_assignment_that_is_begun) {
    const TestFolder test_folder;
    const std::string folder =
        test_folder.submission(proof::edited(proof::solution("self_attention"), {{"dot / scale", "dot"}}));
    check_run({"grade", folder}, 1, {"Next: fix scaled_dot_product_attention ("});
}

BOOST_AUTO_TEST_CASE(a_missing_submission_or_assignment_is_refused) {
    const TestFolder test_folder;
    check_run({"grade", test_folder.file("missing")}, 2,
              {test_folder.file("missing") + ": ", "no such folder or archive", ".cpp"});
    check_run({"grade", "student", "--assignment", "77"}, 2, {"there is no assignment 77; there are 1, 2, "});
}

BOOST_AUTO_TEST_CASE(a_correct_solution_exits_with_0_and_writes_its_reports) {
    const TestFolder test_folder;
    const std::string folder = test_folder.submission(proof::solution("self_attention"));
    const std::string page = test_folder.file("report.html");
    check_run({"grade", folder, "--json", test_folder.file("report.json"), "--junit",
               test_folder.file("report.xml"), "--html", page, "-a", "2", "--no-speed"},
              0, {"85 / 85\n", "Full report: " + page + "\n"});
    const auto json = nlohmann::json::parse(data::read_file(test_folder.file("report.json")));
    BOOST_TEST(json.at("schema_version") == 2);
    BOOST_TEST(json.at("assignments").at(0).at("points") == 85);
    BOOST_TEST(contains(data::read_file(page), data::read_file(test_folder.file("report.json"))));
    const std::string junit = data::read_file(test_folder.file("report.xml"));
    BOOST_TEST(contains(junit, "\" failures=\"0\" errors=\"0\" skipped=\"2\""));
}

BOOST_AUTO_TEST_CASE(a_report_that_cannot_be_written_is_named) {
    const TestFolder test_folder;
    const std::string json = test_folder.file("none/report.json"),
                      junit = test_folder.file("none/report.xml");
    check_run({"grade", "student", "-a", "2", "--json", json}, 2, {json + ": ", "cannot be written"});
    check_run({"grade", "student", "-a", "2", "--junit", junit}, 2, {junit + ": ", "cannot be written"});
}

BOOST_AUTO_TEST_CASE(a_report_is_written_in_every_format_at_once) {
    const TestFolder test_folder;
    Words words = {"grade", "grader/proof/demo", "-a", "2", "--no-speed", "--autolab", "-"};
    const std::pair<const char*, const char*> formats[] = {
        {"--json", "\"schema_version\": 2"},
        {"--markdown", "# Attention Lab: "},
        {"--csv", "submission,assignment,part"},
        {"--junit", "<testsuites time="},
        {"--gradescope", "\"stdout_visibility\": \"hidden\""},
        {"--prairielearn", "\"gradable\": true"},
        {"--classroom50", "\"classroom\": \"cs1\""},
        {"--github", "::stop-commands::"}};
    for (const auto& [option, text] : formats)
        words.insert(words.end(), {option, test_folder.file(std::string(option).substr(2))});
    words.insert(words.end(),
                 {"--classroom-name", "cs1", "--classroom-assignment", "a2", "--junit-dialect", "gitlab"});
    const Run run = run_grader(words);
    BOOST_TEST_CONTEXT(run.text) {
        BOOST_TEST(run.exit_code == 1);
        const auto last = run.text.rfind("\n{\"scores\":{\"softmax\":");
        BOOST_TEST_REQUIRE(last != std::string::npos);
        BOOST_TEST(run.text.find('\n', last + 1) == run.text.size() - 1);  // nothing comes after it
        BOOST_TEST(contains(run.text, "Full report: " + test_folder.file("markdown")));
    }
    for (const auto& [option, text] : formats)
        BOOST_TEST(contains(data::read_file(test_folder.file(std::string(option).substr(2))), text), option);
    BOOST_TEST(contains(data::read_file(test_folder.file("junit")),
                        " file=\"grader/proof/demo/self_attention.cpp\""));
}

BOOST_AUTO_TEST_CASE(formats_that_cannot_be_written_are_refused_before_grading) {
    check_run({"grade", "student", "--json", "-"}, 2,
              {"--json -: standard output has the report as text", "name a file"});
    check_run({"grade", "student", "--autolab", "-", "--github", "-"}, 2,
              {"--autolab - and --github -: only one of them"});
    check_run({"grade", "student", "--junit", "x.xml", "--junit-dialect", "hudson"}, 2,
              {"no dialect 'hudson'; there are jenkins, gitlab"});
    check_run({"grade", "student", "--classroom50", "result.json"}, 2,
              {"which classroom? Give --classroom-name, or set CLASSROOM"});
    check_run({"grade", "student", "--classroom50", "result.json", "--classroom-name", "c"}, 2,
              {"which assignment? Give --classroom-assignment, or set ASSIGNMENT"});
}

BOOST_AUTO_TEST_CASE(a_seed_repeats_its_numbers_and_another_seed_gives_others) {
    const TestFolder test_folder;
    const std::string folder =
        test_folder.submission(proof::edited(proof::solution("self_attention"), {{"dot / scale", "dot"}}));
    const auto worst = [&](const std::string& seed) {
        check_run({"grade", folder, "-a", "2", "--no-speed", "--seed", seed, "--json",
                   test_folder.file("report.json")},
                  1, {"seed " + seed + "\n"});
        const auto json = nlohmann::json::parse(data::read_file(test_folder.file("report.json")));
        BOOST_TEST(json.at("seed") == std::stoi(seed));
        return json.at("assignments").at(0).at("parts").at(1).at("checks").at(0).at("difference");
    };
    const auto first = worst("1");
    BOOST_TEST(worst("1") == first);
    BOOST_TEST(worst("2") != first);
}

BOOST_AUTO_TEST_CASE(a_grader_with_low_limits_of_its_own_still_grades) {
    worker::Limits limits = kNoLimits;
    limits.stack_mib = 8;   // less than the compiler's limit
    limits.file_mib = 128;  // likewise
    const Run run = run_grader({"grade", "student", "-a", "2"}, limits);
    BOOST_TEST_CONTEXT(run.text) BOOST_TEST(run.exit_code == 1);
    BOOST_TEST(contains(run.text, "Next: write softmax"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
