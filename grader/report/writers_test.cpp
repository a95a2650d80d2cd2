// A report that uses every field, with hostile text of a student, in JSON and JUnit XML.

#include <sstream>
#include <string>
#include <vector>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/json.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/text.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(writers)

using namespace std::string_literals;
using boost::property_tree::ptree;

BOOST_AUTO_TEST_CASE(the_hostile_text_needs_cleaning) {
    BOOST_TEST(clean(kHostile) == kCleaned);
    BOOST_TEST(contains(kHostile, "\0"s));
}

BOOST_AUTO_TEST_CASE(json_holds_the_whole_report) {
    const auto json = nlohmann::json::parse(to_json(golden()));
    BOOST_TEST(json.at("schema_version") == 2);
    BOOST_TEST(json.at("seed") == 2026);
    BOOST_TEST(json.at("submission") == "work of?[2J ?");
    BOOST_TEST(json.at("next") == "fix softmax. Then: make grade A=2 SUBMISSION=work of?[2J ?");
    BOOST_TEST(json.at("notes") == nlohmann::json({"left out: \"notes\", a symbolic link", kInOneLine}));
    const auto& assignment = json.at("assignments").at(0);
    BOOST_TEST(assignment.at("points") == 6.5);
    BOOST_TEST(assignment.at("max_points") == 27.5);
    BOOST_TEST(assignment.at("sources").at(1).at("compiled") == false);
    BOOST_TEST(assignment.at("sources").at(1).at("messages") == "extra.cpp:41:18: error: " + kCleaned + "\n");
    const auto& checks = assignment.at("parts").at(0).at("checks");
    std::vector<std::string> outcomes;
    for (const auto& check : checks) outcomes.push_back(check.at("outcome"));
    const std::vector<std::string> expected = {"passed", "wrong", "wrong", "not_finite", "threw", "skipped"};
    BOOST_TEST(outcomes == expected, boost::test_tools::per_element());
    BOOST_TEST(!checks.at(0).contains("message"));
    BOOST_TEST(!checks.at(0).contains("difference"));
    const auto& wrong = checks.at(1);
    BOOST_TEST(wrong.at("id") == "2.softmax.tall");
    BOOST_TEST(wrong.at("difference").at("index") == nlohmann::json({1, 3}));
    BOOST_TEST(wrong.at("difference").at("yours") == 0.4127);
    BOOST_TEST(wrong.at("difference").at("allowed_yardsticks") == 20);
    BOOST_TEST(wrong.at("smallest").at("sizes") == "N=1 D=2");
    BOOST_TEST(wrong.at("smallest").at("inputs").at(0).at("values") == nlohmann::json({0.25, -3.0}));
    BOOST_TEST(wrong.at("diagnosis").at("mistakes").at(0) == "no_exp");
    BOOST_TEST(wrong.at("diagnosis").at("hints").at(0) == "What is exp for?");
    BOOST_TEST(checks.at(4).at("message") == kInOneLine);
    BOOST_TEST(checks.at(4).at("printed") == kCleaned);
}

BOOST_AUTO_TEST_CASE(json_holds_the_measurements) {
    const auto json = nlohmann::json::parse(to_json(golden()));
    const auto& checks = json.at("assignments").at(0).at("parts").at(2).at("checks");
    BOOST_TEST(!checks.at(0).contains("speed"));
    BOOST_TEST(!checks.at(0).contains("growth"));
    const auto& speed = checks.at(1).at("speed");
    BOOST_TEST(speed.at("sizes") == "B=1 N=256 D=64");
    BOOST_TEST(speed.at("threads") == 1);
    BOOST_TEST(speed.at("yours_ms") == 1.6);
    BOOST_TEST(speed.at("plain_ms") == 10);
    BOOST_TEST(speed.at("yardstick_ms") == 0.64);
    BOOST_TEST(speed.at("gflop") == 0.0168);
    BOOST_TEST(speed.at("times_plain") == nlohmann::json({{"value", 6.25}, {"low", 6.1}, {"high", 6.6}}));
    BOOST_TEST(speed.at("times_yardstick").at("low") == 0.38);
    BOOST_TEST(speed.at("scale").at(1) == nlohmann::json({{"times_plain", 7.8125}, {"share", 1}}));
    BOOST_TEST(speed.at("share") == 0.6);
    BOOST_TEST(speed.at("settled") == false);
    BOOST_TEST(speed.at("workers") == 7);
    BOOST_TEST(speed.at("hint") == "Which array is walked by columns? " + kInOneLine);
    BOOST_TEST(speed.at("build") == nlohmann::json({{"command", "g++ -O3 -c x.cpp"},
                                                    {"vector_unit", "AVX2"},
                                                    {"allowed", "C++20; one thread."}}));
    const auto& growth = checks.at(2).at("growth");
    BOOST_TEST(growth.size() == 2U);
    BOOST_TEST(growth.at(0).at("what") == "time");
    BOOST_TEST(growth.at(0).at("lengths") == nlohmann::json({64, 128, 512}));
    BOOST_TEST(growth.at(0).at("values") == nlohmann::json({0.25, 2.0, nullptr}));
    BOOST_TEST(growth.at(0).at("allowed") == 0.5);
    const auto& plain = growth.at(0).at("plain");
    BOOST_TEST(plain.at("values") == nlohmann::json({0.2, 0.8, 12.8}));
    BOOST_TEST(plain.at("exponent").at("value") == 2.02);
    BOOST_TEST(plain.at("above").at("low") == 0.9);
    BOOST_TEST(plain.at("times_plain").at("high") == 10.4);
    BOOST_TEST(plain.at("most_times") == 12);
    BOOST_TEST(!growth.at(1).contains("plain"));
    const auto& memory = growth.at(1).at("plain_memory");
    BOOST_TEST(memory.at("values") == nlohmann::json({0.25, 0.25, 0.5}));
    BOOST_TEST(memory.at("more").at("low") == 0.4);
    BOOST_TEST(memory.at("most_more") == 2);
    BOOST_TEST(growth.at(1).at("exponent").at("high") == 2.02);
    BOOST_TEST(growth.at(1).at("allowed") == 2.2);
}

BOOST_AUTO_TEST_CASE(json_has_null_for_nan_and_infinity) {
    const std::string text = to_json(golden());
    const auto json = nlohmann::json::parse(text);
    const auto& checks = json.at("assignments").at(0).at("parts").at(0).at("checks");
    BOOST_TEST(checks.at(3).at("difference").at("yours").is_null());
    BOOST_TEST(checks.at(3).at("difference").at("error_yardsticks").is_null());
    BOOST_TEST(checks.at(3).at("difference").at("expected") == 0.5);
    BOOST_TEST(checks.at(1).at("smallest").at("yours").at(0).at("values") == nlohmann::json({0.75, nullptr}));
    Report endless = golden();
    endless.duration_s = kInf;
    BOOST_TEST(nlohmann::json::parse(to_json(endless)).at("duration_s").is_null());
}

BOOST_AUTO_TEST_CASE(json_holds_no_control_characters) {
    const std::string text = to_json(golden());
    BOOST_TEST(clean(text) == text);
    BOOST_TEST(!contains(text, "\\u001b"));
    BOOST_TEST(!contains(text, "\\u0000"));
    BOOST_TEST(text.ends_with("}\n"));
    BOOST_TEST(!contains(text, "<"));
    BOOST_TEST(!contains(text, "##"));
}

BOOST_AUTO_TEST_CASE(junit_counts_and_quotes) {
    const std::string text = to_junit(golden());
    BOOST_TEST(clean(text) == text);
    BOOST_TEST(!contains(text, "]]>"));
    BOOST_TEST(!contains(text, "</script>"));
    BOOST_TEST(!contains(text, "##"));
    ptree tree;
    std::istringstream stream(text);
    read_xml(stream, tree);
    BOOST_TEST(tree.size() == 1U);
    const ptree& suite = tree.get_child("testsuites.testsuite");
    BOOST_TEST(suite.get<std::string>("<xmlattr>.name") == "self_attention");
    BOOST_TEST(suite.get<int>("<xmlattr>.tests") == 11);
    BOOST_TEST(suite.get<int>("<xmlattr>.failures") == 8);
    BOOST_TEST(suite.get<int>("<xmlattr>.errors") == 0);
    BOOST_TEST(suite.get<int>("<xmlattr>.skipped") == 1);
    BOOST_TEST(suite.count("testcase") == 11U);
    std::vector<std::string> notes;
    for (const auto& [name, property] : suite.get_child("properties")) {
        BOOST_TEST(property.get<std::string>("<xmlattr>.name") == "note");
        notes.push_back(property.get<std::string>("<xmlattr>.value"));
    }
    BOOST_TEST(notes.size() == 2U);
    BOOST_TEST(notes.back() == kInOneLine);
    std::vector<ptree> cases;
    for (const auto& [name, child] : suite)
        if (name == "testcase") cases.push_back(child);
    BOOST_TEST(cases.at(0).get<std::string>("<xmlattr>.classname") == "self_attention.softmax");
    BOOST_TEST(cases.at(0).get<std::string>("<xmlattr>.name") == "one_row");
    BOOST_TEST(cases.at(0).count("failure") == 0U);
    BOOST_TEST(cases.at(1).get<std::string>("failure.<xmlattr>.type") == "wrong");
    const auto failure = cases.at(1).get<std::string>("failure");
    for (const char* part :
         {"N=1 D=2\n", "  Y yours      0.75       nan    expected       0.5       0.5\nOn the way",
          "\n  m     0.125\nYour output is", "More on this:  make explain ID=2.softmax.tall\n"})
        BOOST_TEST_CONTEXT(failure) BOOST_TEST(contains(failure, part), "missing: " << part);
    BOOST_TEST(cases.at(4).get<std::string>("failure.<xmlattr>.type") == "threw");
    BOOST_TEST(cases.at(4).get<std::string>("failure.<xmlattr>.message") == kInOneLine);
    BOOST_TEST(
        contains(cases.at(4).get<std::string>("failure"), "::error::x softmax 20 / 20 ok ::notice::y # #["));
    BOOST_TEST(!contains(cases.at(4).get<std::string>("failure"),
                         "line two\n  | "));  // printed text has its own element
    BOOST_TEST(cases.at(4).get<std::string>("system-out") == kCleaned);
    BOOST_TEST(contains(cases.at(5).get<std::string>("skipped.<xmlattr>.message"), "Not run"));
    BOOST_TEST(cases.at(9).get<std::string>("<xmlattr>.name") == "speed");
    BOOST_TEST(cases.at(9).get<std::string>("failure.<xmlattr>.type") == "slow");
    BOOST_TEST(cases.at(9).get<std::string>("failure.<xmlattr>.message") == "6.3 times the plain loops.");
    BOOST_TEST(contains(cases.at(9).get<std::string>("failure"), "Try: Which array is walked by columns?"));
}

BOOST_AUTO_TEST_CASE(junit_for_gitlab_names_the_file_of_each_case) {
    Report report = golden();
    report.submission = "student/<1>";
    const std::string text = to_junit(report, JunitDialect::gitlab);
    ptree tree;
    std::istringstream stream(text);
    read_xml(stream, tree);
    int cases = 0;
    for (const auto& [name, child] : tree.get_child("testsuites.testsuite")) {
        if (name != "testcase") continue;
        BOOST_TEST(child.get<std::string>("<xmlattr>.file") == "student/<1>/self_attention.cpp");
        ++cases;
    }
    BOOST_TEST(cases == 11);
    BOOST_TEST(!contains(to_junit(report), " file="));
}

BOOST_AUTO_TEST_CASE(long_texts_are_cut) {
    Report report = golden();
    const std::string megabyte(1 << 20, 'x');
    report.submission = report.notes.at(0) = megabyte;
    report.assignments.at(0).sources.at(1).messages = megabyte;
    Check& check = report.assignments.at(0).parts.at(0).checks.at(4);
    check.message = check.printed = megabyte;
    for (const std::string& text : {to_json(report), to_junit(report)}) {
        BOOST_TEST(text.size() < 100'000U);
        BOOST_TEST(contains(text, "more bytes)"));
    }
}

BOOST_AUTO_TEST_CASE(an_empty_report_is_valid) {
    BOOST_TEST(nlohmann::json::parse(to_json(Report())).at("assignments").empty());
    ptree tree;
    std::istringstream stream(to_junit(Report()));
    read_xml(stream, tree);
    BOOST_TEST(tree.count("testsuites") == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
