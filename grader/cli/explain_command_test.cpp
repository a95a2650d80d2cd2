// Runs `grader explain` from the command line.

#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/proof/harness.h"
#include "grader/report/json.h"
#include "grader/testing/golden.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(explain_command, *boost::unit_test::label("long"))

using proof::edited;
using proof::solution;

using Edits = std::vector<proof::Edit>;

/// A graded submission and its report.
struct Graded {
    TestFolder test_folder;
    std::string report = test_folder.file("report.json");

    explicit Graded(const Edits& edits) {
        const std::string folder = test_folder.submission(edited(solution("self_attention"), edits));
        check_run({"grade", folder, "-a", "2", "--no-speed", "--json", report}, edits.empty() ? 0 : 1, {});
    }
    void check(const std::string& id, int exit_code, const std::vector<std::string>& parts,
               const Words& more = {}) const {
        Words words = {"explain", id, "--report", report};
        words.insert(words.end(), more.begin(), more.end());
        check_run(words, exit_code, parts);
    }
};

const std::string kRagged = "2.scaled_dot_product_attention.ragged";

BOOST_AUTO_TEST_CASE(a_wrong_case_is_shown_with_all_its_numbers) {
    const Graded graded(Edits{{"dot / scale", "dot"}});
    graded.check(
        kRagged, 1,
        {kRagged + ", numeric: wrong", "B=2 N_q=5 N_k=7 D_q=11 D_v=3", "Q [2, 5, 11]", "K [2, 7, 11]",
         "V [2, 7, 3]", "Y yours [2, 5, 3]", "expected [2, 5, 3]", "difference [2, 5, 3]",
         "with the mistake [2, 5, 3]", "when the scores are not divided by sqrt(D_q)", "A yours", "*"});
    // A check that was graded with a stand-in is replayed with it.
    graded.check("2.self_attention.ragged", 0, {"tested with the course's scaled_dot_product_attention"});
    // A report of another version, or an edited one, may name functions that are none of this part's.
    for (const char* unknown : {"no_such_function", "../../etc/passwd", "self_attention", ""}) {
        report::Report other = report::from_json(data::read_file(graded.report));
        other.assignments[0].parts.back().stand_ins = {unknown};
        graded.test_folder.folder.write("other.json", report::to_json(other));
        check_run({"explain", "2.self_attention.ragged", "--report", graded.test_folder.file("other.json")},
                  2, {"there is no earlier function " + std::string(unknown), "grade again"});
    }
}

/// What `explain` prints in a terminal of this width.
std::string explained_within(const Graded& graded, const std::string& id, int width) {
    worker::Command command;
    command.argv = {testing::built_grader().string(), "explain", id, "--report", graded.report};
    command.environment = testing::environment();
    command.environment.push_back("COLUMNS=" + std::to_string(width));
    command.directory = testing::built().sources;
    command.confinement.limits = kNoLimits;
    constexpr double kTimeLimit_s = 120;
    return worker::run_command(command, kTimeLimit_s, 1 << 20).printed;
}

BOOST_AUTO_TEST_CASE(a_function_that_is_not_written_has_no_numbers) {
    const std::string first = "std::vector<float> q = project(X, W_Q);";
    const Graded graded(Edits{{first, "return; " + first}});
    const std::string text = explained_within(graded, "2.self_attention.ragged", 80);
    BOOST_TEST(text.find("not implemented") != std::string::npos, text);
    BOOST_TEST(text.find("expected") != std::string::npos, text);
    BOOST_TEST(text.find("nan") == std::string::npos, text);
    BOOST_TEST(text.find("difference") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(everything_fits_into_the_terminal) {
    const Graded graded(Edits{{"dot / scale", "dot"}});
    for (const int width : {60, 80, 110}) {
        std::istringstream lines(explained_within(graded, kRagged, width));
        int count = 0;
        for (std::string line; std::getline(lines, line); ++count)
            BOOST_TEST(line.size() <= static_cast<std::size_t>(width), line);
        BOOST_TEST(count > 40);
    }
    BOOST_TEST(contains(explained_within(graded, kRagged, 80), "          5 ..\n"));
    BOOST_TEST(contains(explained_within(graded, kRagged, 110), "          7 ..\n"));
}

BOOST_AUTO_TEST_CASE(all_arrays_can_be_saved_and_read_again) {
    const Graded graded(Edits{{"dot / scale", "dot"}});
    const std::string folder = graded.test_folder.file("saved");
    graded.check(kRagged, 1, {"saved as .npy files: " + folder},
                 {"--save", folder, "--rows", "1", "--columns", "1"});
    const Array yours = data::read_npy(folder + "/Y_yours.npy"),
                due = data::read_npy(folder + "/Y_expected.npy");
    BOOST_TEST((yours.shape == Shape{2, 5, 3}));
    BOOST_TEST((due.shape == Shape{2, 5, 3}));
    BOOST_TEST(yours.as<float>().at(0) != static_cast<float>(due.as<double>().at(0)));
    BOOST_TEST((data::read_npy(folder + "/Q.npy").shape == Shape{2, 5, 11}));
}

/// The report that a page contains.
report::Report report_in(const std::string& page) {
    const std::string begin = "<script type=\"application/json\" id=\"report\">";
    const std::string text = data::read_file(page);
    const auto from = text.find(begin);
    BOOST_REQUIRE(from != std::string::npos);
    const auto start = from + begin.size();
    return report::from_json(text.substr(start, text.find("</script>", start) - start));
}

BOOST_AUTO_TEST_CASE(a_page_shows_the_inputs_and_every_output) {
    const Graded graded(Edits{{"dot / scale", "dot"}});
    const std::string page = graded.test_folder.file("page.html"), folder = graded.test_folder.file("saved");
    graded.check(kRagged, 1, {"page: " + page}, {"--html", page, "--save", folder});
    const report::Report report = report_in(page);
    const report::Check& check = report.assignments.at(0).parts.at(0).checks.at(0);
    BOOST_TEST(check.id == kRagged);
    BOOST_REQUIRE(check.diagnosis.has_value());
    BOOST_REQUIRE(check.inputs.size() == 3U);
    const Array Q = data::read_npy(folder + "/Q.npy"), Y = data::read_npy(folder + "/Y_yours.npy");
    BOOST_TEST(check.inputs.at(0).name == "Q");
    BOOST_TEST(check.inputs.at(0).values == std::vector<double>(Q.as<float>().begin(), Q.as<float>().end()),
               boost::test_tools::per_element());
    BOOST_REQUIRE(check.pictures.size() == 2U);
    const report::Picture& picture = check.pictures.at(0);
    BOOST_TEST(picture.array == "Y");
    BOOST_TEST((picture.shape == Shape{2, 5, 3}));
    const std::size_t first = static_cast<std::size_t>(picture.slice.at(0)) * 15;
    for (std::size_t k = 0; k < 15; ++k)
        BOOST_TEST(picture.yours.values.at(k) == static_cast<double>(Y.as<float>().at(first + k)),
                   boost::test_tools::tolerance(1e-5));

    const std::string both_sides = graded.test_folder.file("property.html");
    graded.check("2.scaled_dot_product_attention.queries_permute", 0, {}, {"--html", both_sides});
    const report::Report property = report_in(both_sides);
    BOOST_TEST(property.assignments.at(0).parts.at(0).checks.at(0).pictures.at(0).expected.name !=
               property.assignments.at(0).parts.at(0).checks.at(0).pictures.at(0).yours.name);
}

BOOST_AUTO_TEST_CASE(a_property_is_shown_by_its_two_sides) {
    const Graded graded(Edits{{"W(i, j) * V(b, j, d)", "(W(i, j) + 0.01f * i) * V(b, j, d)"}});
    graded.check("2.scaled_dot_product_attention.queries_permute", 1,
                 {"property: wrong", "permuted queries give permuted outputs",
                  "inputs of call 2, where they differ", "difference"});
}

BOOST_AUTO_TEST_CASE(a_crashed_call_shows_its_inputs) {
    const Graded graded(Edits{{"float m = X(i, 0);", "float m = X(i, 0); __builtin_trap();"}});
    graded.check("2.softmax.ragged", 1, {"crashed", "X [5, 7]"});
}

BOOST_AUTO_TEST_CASE(a_check_that_passes_now_is_reported_so) {
    const Graded graded(Edits{{"dot / scale", "dot"}});
    const std::string mended = graded.test_folder.submission(solution("self_attention"));
    graded.check(kRagged, 0, {"passed", "Run alone, the check passes now. The report said: Y is wrong"});
    graded.check(kRagged, 2, {graded.test_folder.file("none") + ": there is no such folder"},
                 {"--submission", graded.test_folder.file("none")});
}

BOOST_AUTO_TEST_CASE(speed_is_shown_as_recorded_in_the_report) {
    const TestFolder test_folder;
    const std::string report =
        test_folder.folder.write("report.json", report::to_json(report::golden())).string();
    check_run(
        {"explain", "2.attention.speed", "--report", report}, 1,
        {"2.attention.speed, speed: slow\nnormal numbers, B=1 N=256 D=64, 1 thread\n", "in 7 fresh processes",
         "yardstick   ======", "6.25 times the plain loops (95 % interval 6.10 to 6.60)",
         ("What it earns:\n  speed                                share\n"
          "  1 times the plain loops               20 %\n  7.8 times the plain loops            100 %\n"
          "  6.25 times: yours                     60 %\n"),
         "Try: Which array is walked by columns?", "for wrong outputs"});
    check_run({"explain", "2.attention.growth", "--report", report}, 1,
              {"2.attention.growth, growth: slow", "N_q = N_k", "time, ms", "factor", "plain loops",
               "128               2         8             0.8         4\n",
               "512             nan         ?            12.8      16.0\n", "memory, MiB",
               "memory in addition to the arrays of the call", "Memory grows as N^1.98"});
    const Run run = run_grader({"explain", "2.attention.speed", "--report", report});
    BOOST_TEST(!contains(run.text, "\x1b"));
    BOOST_TEST(!contains(run.text, "\n::"));
}

BOOST_AUTO_TEST_CASE(choices_have_their_names) {
    const TestFolder folder;
    const std::string report = folder.file("report.json");
    check_run({"grade", folder.submission(solution("sizes")), "-a", "19", "--no-speed", "--json", report}, 0,
              {});
    check_run({"explain", "19.transformer_parameters.not_tied", "--report", report}, 0, {"tied = false"});
}

BOOST_AUTO_TEST_CASE(a_check_that_cannot_be_replayed_is_refused) {
    const Graded graded(Edits{});
    graded.check("2.softmax.unknown", 2, {"no check '2.softmax.unknown'", "No check in it failed"});
    check_run({"explain", "2.softmax.ragged", "--report", graded.test_folder.file("none.json")}, 2,
              {"there is no report yet"});
    check_run({"explain"}, 2, {"the ID of one check", "usage: grader explain ID"});
    check_run({"explain", "a", "--rows", "0"}, 2, {"1 or more"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
