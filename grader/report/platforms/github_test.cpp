#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/report/platforms/formats.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(github)

const std::string kToken = "token";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// The commands that GitHub's runner would execute: it skips leading spaces and accepts "##[..]" anywhere.
std::vector<std::string> executed_commands(const std::string& text, const std::string& token) {
    std::vector<std::string> commands;
    bool stopped = false;
    for (const std::string& line : lines_of(text)) {
        const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
        const std::string rest = line.substr(first);
        if (stopped) {
            stopped = rest != "::" + token + "::";
        } else if (rest.starts_with("::") || contains(rest, "##[")) {
            commands.push_back(rest);
            stopped = rest == "::stop-commands::" + token;
        }
    }
    BOOST_TEST(!stopped);
    return commands;
}

BOOST_AUTO_TEST_CASE(the_most_expensive_failure_comes_first_with_its_file_and_line) {
    Report report = golden();
    report.submission = "student";
    const auto commands = executed_commands(to_github(report, kToken), kToken);
    BOOST_TEST(commands.size() == 9U);
    // Two checks with the same mistake are one annotation, which costs five points.
    BOOST_TEST(commands.at(0) ==
               "::error file=student/self_attention.cpp,title=softmax%2C case tall%3A wrong::Every row of Y "
               "is off.%0A"
               "A small case that still fails: N=1 D=2%0AYour output is exactly what comes out when exp "
               "is left "
               "out.");
    // A function that is not begun is a notice, which comes after the errors.
    BOOST_TEST(commands.at(7).starts_with(
        "::notice file=student/self_attention.cpp,title=self_attention%2C case ragged%3A not implemented::"));
    BOOST_TEST(commands.at(8) == "::stop-commands::token");
    const auto compiler = std::find_if(commands.begin(), commands.end(), [](const std::string& command) {
        return command.starts_with(
            "::error file=student/extra.cpp,line=41,title=extra.cpp does not compile::");
    });
    BOOST_TEST((compiler != commands.end()));
}

BOOST_AUTO_TEST_CASE(a_crash_is_annotated_at_its_line) {
    Check crash = make_wrong("ragged");
    crash.outcome = Outcome::crashed;
    crash.diagnosis.reset();
    crash.lines = SourceTrace{"", {{"lib/sum.h", 7, "sum", "return x[n];"}, {"a.cpp", 20, "f", "sum(x);"}}};
    Report report = golden();
    report.submission = "student";
    report.assignments.front().parts.front().checks = {crash};
    BOOST_TEST(to_github(report, kToken).find("::error file=student/lib/sum.h,line=7,title=") !=
               std::string::npos);
    report.submission = "work.zip";
    BOOST_TEST(to_github(report, kToken).find("::error file=lib/sum.h,line=7,title=") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_answer_is_annotated_at_its_function) {
    Report report = golden();
    report.submission = "student";
    Part& part = report.assignments.front().parts.front();
    part.defined_at = {"self_attention.cpp", 12, "", ""};
    part.kernels_defined_at = {"self_attention.cu", 34, "", ""};
    Check wrong = make_wrong("ragged"), kernels = make_wrong("cuda_ragged"), not_finite = make_wrong("large");
    kernels.kind = CheckKind::cuda;
    not_finite.outcome = Outcome::not_finite;
    not_finite.lines = SourceTrace{"", {{"self_attention.cpp", 15, "softmax", ""}}};
    part.checks = {wrong, kernels, not_finite};
    const std::string text = to_github(report, kToken);
    BOOST_TEST(contains(text, "::error file=student/self_attention.cpp,line=12,title="));
    BOOST_TEST(contains(text, "::error file=student/self_attention.cu,line=34,title="));
    BOOST_TEST(contains(text, "::error file=student/self_attention.cpp,line=15,title="));
}

BOOST_AUTO_TEST_CASE(what_was_not_measured_is_no_error) {
    Report report = golden();
    Check speed = make_wrong("speed");
    speed.kind = CheckKind::speed;
    speed.outcome = Outcome::skipped;
    speed.max_points = 5;
    speed.points = 0;
    speed.message = "Not measured: first softmax has to be right.";
    report.assignments.front().parts = {report.assignments.front().parts.front()};
    report.assignments.front().parts.front().checks = {speed};
    report.assignments.front().sources.clear();
    const auto commands = executed_commands(to_github(report, kToken), kToken);
    BOOST_TEST(commands.at(0).starts_with("::notice "), commands.at(0));
    BOOST_TEST(contains(commands.at(0), "first softmax has to be right."), commands.at(0));
}

BOOST_AUTO_TEST_CASE(at_most_ten_annotations_and_those_that_cost_most) {
    std::vector<Check> checks;
    for (int k = 0; k < 30; ++k) {
        Check check = make_wrong("c" + std::to_string(k));
        check.diagnosis->mistakes = {"m" + std::to_string(k)};
        check.max_points = k;
        checks.push_back(check);
    }
    const auto commands =
        executed_commands(to_github(make_report({make_part("f", 1, checks)}), kToken), kToken);
    BOOST_TEST(commands.size() == 11U);
    for (std::size_t k = 0; k < 10; ++k)
        BOOST_TEST(contains(commands.at(k), "case c" + std::to_string(29 - k) + "%3A"));
}

BOOST_AUTO_TEST_CASE(text_of_a_student_is_never_a_command) {
    Report report = golden();
    Check& check = report.assignments.at(0).parts.at(0).checks.at(4);
    check.name = "a,b:c%d\n::error::e";
    check.message = "100 %\r\n::error title=x::y ##[error]z ::token::";
    check.printed = "::token::\n ::token::\n::error::out\n##[error]out\n::add-mask::1\n";
    const auto commands = executed_commands(to_github(report, kToken), kToken);
    BOOST_TEST(commands.size() == 9U);
    for (const std::string& command : commands) {
        BOOST_TEST_CONTEXT(command) {
            const bool ours = command.starts_with("::error file=work") ||
                              command.starts_with("::notice file=work") ||
                              command == "::stop-commands::token";
            BOOST_TEST(ours);
            BOOST_TEST(!contains(command, "##["));
        }
    }
    const auto threw = std::find_if(commands.begin(), commands.end(),
                                    [](const std::string& command) { return contains(command, "threw"); });
    BOOST_TEST_REQUIRE((threw != commands.end()));
    BOOST_TEST(
        contains(*threw, "title=softmax%2C property a%2Cb%3Ac%25d?%3A%3Aerror%3A%3Ae%3A threw::100 %25"));
}

BOOST_AUTO_TEST_CASE(tokens_differ_and_are_long) {
    const auto token_of = [](const std::string& text) {
        const std::string before = "::stop-commands::";
        const std::size_t at = text.find(before) + before.size();
        return text.substr(at, text.find('\n', at) - at);
    };
    const std::string one = to_github(golden()), other = to_github(golden());
    BOOST_TEST(token_of(one) != token_of(other));
    BOOST_TEST(token_of(one).size() >= 32U);
    BOOST_TEST(executed_commands(one, token_of(one)).size() == 9U);
}

BOOST_AUTO_TEST_CASE(the_log_describes_each_failure_in_full) {
    const std::string text = to_github(golden(), kToken);
    const std::size_t stop = text.find("::stop-commands::");
    for (const char* part :
         {"softmax, case tall: wrong\n", "softmax, case long: wrong\nthe same mistake\n",
          "self_attention: not implemented yet\n", "Worst at Y(1, 3): yours 0.4127", "| | ::error::x",
          "attention, speed: slow\n", "More on this:  make explain ID=2.softmax.tall",
          "Attention Lab: 6.5 / 27.5 points\n::token::\n"})
        BOOST_TEST((text.find(part, stop) != std::string::npos), "missing: " << part);
}

BOOST_AUTO_TEST_CASE(a_report_without_failures_has_no_annotations) {
    const Report report = make_report({make_part("f", 1, {make_check("a", Outcome::passed)})});
    BOOST_TEST(executed_commands(to_github(report, kToken), kToken).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
