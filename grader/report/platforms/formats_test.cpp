// The same report from every writer: valid, harmless, small enough for its platform, with the same points.

#include "grader/report/platforms/formats.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "grader/report/clean.h"
#include "grader/report/json.h"
#include "grader/report/platforms/markdown.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"
#include "grader/testing/golden.h"
#include "grader/testing/schemas.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(formats, *boost::unit_test::label("long"))

using nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string written_for_classroom50(const Report& report) {
    return to_classroom50(report, {"course", "attention", "submit/1", "https://example.org/c", "r", "v",
                                   "2026-11-21T18:00:00Z"});
}

std::string valid_autolab(const std::string& text) {
    const auto lines = lines_of(text);
    if (lines.size() != 2) return "two lines were expected";
    if (json::parse(lines[0]).at("_presentation") != "semantic") return "no presentation";
    return json_complaints("autolab", lines[1]);
}

std::string valid_csv(const std::string& text) {
    if (!text.starts_with("submission,assignment,part,check,kind,outcome,points,max_points,mistakes\r\n"))
        return "no header";
    return text.ends_with("\r\n") ? "" : "no end of line";
}

std::string valid_markdown(const std::string& text) {
    return text.starts_with("# Attention Lab: ") ? "" : "no heading";
}

std::string valid_github(const std::string& text) {
    return contains(text, "::stop-commands::") ? "" : "commands are not stopped";
}

struct Writer {
    const char* name;
    std::string (*write)(const Report&);
    std::string (*complaints)(const std::string&);
    std::size_t most_bytes;
};

constexpr std::size_t kMiB = 1 << 20, kNoLimit = 64 * kMiB;

const Writer kWriters[] = {
    {"json", to_json, [](const std::string& text) { return json_complaints("report", text); }, kNoLimit},
    {"junit", [](const Report& r) { return to_junit(r); }, junit_complaints, kNoLimit},
    {"junit for gitlab", [](const Report& r) { return to_junit(r, JunitDialect::gitlab); },
     [](const std::string& text) {
         std::istringstream stream(text);
         boost::property_tree::ptree tree;
         read_xml(stream, tree);
         return std::string();
     },
     kNoLimit},
    {"gradescope", to_gradescope, [](const std::string& text) { return json_complaints("gradescope", text); },
     4 * kMiB},
    {"prairielearn", to_prairielearn,
     [](const std::string& text) { return json_complaints("prairielearn", text); }, 1'000'000},
    {"autolab", to_autolab, valid_autolab, kMiB},
    {"classroom50", written_for_classroom50,
     [](const std::string& text) { return json_complaints("classroom50", text); }, 10 * kMiB},
    {"github", [](const Report& r) { return to_github(r); }, valid_github, kNoLimit},
    {"markdown", [](const Report& r) { return to_markdown(r); }, valid_markdown, kMiB},
    {"csv", to_csv, valid_csv, kNoLimit},
};

/// Writes the report with every writer and checks each text.
template <class F>
void for_each_writer(const Report& report, F look) {
    for (const Writer& writer : kWriters) {
        const std::string text = writer.write(report);
        BOOST_TEST_CONTEXT(writer.name << " wrote: " << text.substr(0, 3000)) {
            BOOST_TEST(writer.complaints(text) == "");
            BOOST_TEST(text.size() <= writer.most_bytes);
            look(std::string(writer.name), text);
        }
    }
}

/// The text without the line ends of CSV, which are two characters.
std::string with_line_feeds(std::string text) {
    for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
}

Report with_one_part(std::vector<Check> checks) {
    return make_report({make_part("softmax", 1, std::move(checks))});
}

BOOST_AUTO_TEST_CASE(the_golden_report_is_valid_and_harmless_in_every_format) {
    for_each_writer(golden(), [](const std::string& name, const std::string& text) {
        BOOST_TEST(clean(with_line_feeds(text)) == with_line_feeds(text));
        BOOST_TEST(text.size() > 300U);
        for (const char* command : {"##[", "##vso", "</script>"})
            if (name != "csv" && name != "github" && name != "markdown")
                BOOST_TEST(!contains(text, command), "it contains " << command);
        // A line that begins with "::" is a command. github_test.cpp checks the commands for GitHub.
        if (name == "github") return;
        for (const std::string& line : lines_of(text)) {
            const std::size_t first = line.find_first_not_of(" \t");
            BOOST_TEST((first == std::string::npos || line.compare(first, 2, "::") != 0), line);
        }
    });
}

BOOST_AUTO_TEST_CASE(empty_reports_passed_reports_and_reports_that_do_not_compile_are_valid) {
    for_each_writer(Report(), [](const std::string&, const std::string&) {});
    for_each_writer(with_one_part({}), [](const std::string&, const std::string&) {});
    for_each_writer(with_one_part({make_check("a", Outcome::passed), make_check("b", Outcome::passed)}),
                    [](const std::string& name, const std::string& text) {
                        BOOST_TEST(!contains(text, "wrong"));
                        if (name == "junit") BOOST_TEST(contains(text, "failures=\"0\""));
                    });
    Report broken = with_one_part({make_check("a", Outcome::not_compiled, "It does not compile."),
                                   make_check("b", Outcome::not_compiled, "It does not compile.")});
    broken.assignments.at(0).sources = {{"self_attention.cpp", true, false, kHostile}};
    for_each_writer(broken, [](const std::string& name, const std::string& text) {
        const bool says_so = contains(text, "not compile") || contains(text, "not_compile");
        BOOST_TEST((says_so || name == "classroom50"));
    });
}

BOOST_AUTO_TEST_CASE(no_format_exceeds_the_limit_of_its_platform) {
    Report report = golden();
    auto& checks = report.assignments.at(0).parts.at(0).checks;
    checks.at(4).printed = checks.at(4).message = std::string(1 << 20, '<');
    report.submission = report.next = report.notes.at(0) = std::string(1 << 20, '`');
    report.assignments.at(0).sources.at(1).messages = std::string(1 << 20, '"');
    std::string printed;
    for (int line = 0; line < 60; ++line) printed += std::string(390, '\\') + '\n';
    for (int k = 0; k < 400; ++k) {
        Check check = make_pictured("again_" + std::to_string(k));
        check.diagnosis.reset();  // otherwise all have the same mistake, which is described once
        if (k % 5 == 0) check.printed = printed;
        check.message = std::string(3000, '#');
        checks.push_back(check);
    }
    for_each_writer(report, [](const std::string& name, const std::string& text) {
        if (name != "classroom50") BOOST_TEST(text.size() > 10'000U);
        if (name == "prairielearn" || name == "gradescope")
            BOOST_TEST(json::parse(text).at("tests").size() == 3U);
    });
}

BOOST_AUTO_TEST_CASE(too_many_checks_are_cut_even_without_texts) {
    Report report = golden();
    auto& checks = report.assignments.at(0).parts.at(0).checks;
    for (int k = 0; k < 8'000; ++k)
        checks.push_back(make_check(std::string(200, 'x') + std::to_string(k), Outcome::passed));
    const std::string text = to_prairielearn(report);
    BOOST_TEST(json_complaints("prairielearn", text) == "");
    BOOST_TEST(text.size() <= kMostPrairieLearn);
    BOOST_TEST(to_autolab(report).size() <= kMiB);
}

BOOST_AUTO_TEST_CASE(nan_and_infinity_are_never_written_as_numbers) {
    Report report = golden();
    report.duration_s = kInf;
    report.assignments.at(0).points = kNan;
    report.assignments.at(0).parts.at(0).points = kNan;
    Check& check = report.assignments.at(0).parts.at(0).checks.at(1);
    check.points = kNan;
    check.max_points = -kInf;
    Check& slow = report.assignments.at(0).parts.at(2).checks.at(1);
    slow.speed->times_plain = {kNan, kNan, kInf};
    slow.speed->yours_ms = kNan;
    slow.points = kInf;
    for_each_writer(report, [](const std::string& name, const std::string& text) {
        if (name == "csv") {
            BOOST_TEST(!contains(text, "nan"));
            BOOST_TEST(!contains(text, "inf"));
        }
    });
    BOOST_TEST(contains(to_junit(report), "<testsuites time=\"0.000\">"));
    const auto board = json::parse(to_gradescope(report)).at("leaderboard");
    BOOST_TEST(board.empty());
}

BOOST_AUTO_TEST_CASE(points_are_the_same_in_all_formats) {
    const Report report = golden();
    const double points = 6.5, max_points = 27.5;
    BOOST_TEST(total_of(report).points == points);
    const auto sum = [](const json& items, const char* member) {
        return std::accumulate(items.begin(), items.end(), 0.0, [member](double s, const json& item) {
            return s + item.at(member).get<double>();
        });
    };
    const json gradescope = json::parse(to_gradescope(report));
    BOOST_TEST(gradescope.at("score") == points);
    BOOST_TEST(sum(gradescope.at("tests"), "score") == points);
    BOOST_TEST(sum(gradescope.at("tests"), "max_score") == max_points);
    const json prairielearn = json::parse(to_prairielearn(report));
    BOOST_TEST(prairielearn.at("score") == points / max_points);
    BOOST_TEST(sum(prairielearn.at("tests"), "points") == points);
    const json autolab = json::parse(lines_of(to_autolab(report)).back());
    BOOST_TEST(autolab.at("scores") == json({{"softmax", 2.5}, {"self_attention", 0}, {"attention", 4}}));
    const json classroom50 = json::parse(written_for_classroom50(report));
    BOOST_TEST(classroom50.at("score") == 7);  // 6.5
    BOOST_TEST(classroom50.at("max-score") == 28);
    BOOST_TEST(sum(classroom50.at("tests"), "score") == 7);
    BOOST_TEST(sum(classroom50.at("tests"), "max-score") == 28);
    BOOST_TEST(contains(to_markdown(report), "# Attention Lab: 6.5 / 27.5\n"));
    BOOST_TEST(contains(to_github(report), "Attention Lab: 6.5 / 27.5 points\n"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
