#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/report/platforms/formats.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(csv)

using Row = std::vector<std::string>;

/// Parses CSV (RFC 4180).
std::vector<Row> read(const std::string& text) {
    std::vector<Row> rows(1, Row(1));
    bool quoted = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        std::string& cell = rows.back().back();
        if (text[k] == '"' && quoted && k + 1 < text.size() && text[k + 1] == '"')
            cell += text[++k];
        else if (text[k] == '"')
            quoted = !quoted;
        else if (!quoted && text[k] == ',')
            rows.back().emplace_back();
        else if (!quoted && text.compare(k, 2, "\r\n") == 0)
            rows.emplace_back(1), ++k;
        else
            cell += text[k];
    }
    BOOST_TEST(!quoted);
    BOOST_TEST(rows.back() == Row(1));  // the last line ends with a line feed
    rows.pop_back();
    return rows;
}

BOOST_AUTO_TEST_CASE(a_row_is_a_check) {
    const auto rows = read(to_csv(golden()));
    BOOST_TEST(rows.size() == 12U);
    for (const Row& row : rows) BOOST_TEST(row.size() == 9U);
    BOOST_TEST(rows.at(0) == (Row{"submission", "assignment", "part", "check", "kind", "outcome", "points",
                                  "max_points", "mistakes"}));
    BOOST_TEST(rows.at(1) ==
               (Row{"work of?[2J ?", "2", "softmax", "one_row", "numeric", "passed", "2.5", "2.5", ""}));
    BOOST_TEST(rows.at(2) ==
               (Row{"work of?[2J ?", "2", "softmax", "tall", "numeric", "wrong", "0", "2.5", "no_exp"}));
    BOOST_TEST(rows.at(10).at(6) == "1.5");
}

BOOST_AUTO_TEST_CASE(cells_are_quoted_if_necessary) {
    Report report = make_report({make_part("f", 1, {make_wrong("a,b")})});
    report.submission = "the \"work\"; of";
    report.assignments.at(0).parts.at(0).checks.at(0).diagnosis->mistakes = {"a+b", "c"};
    const std::string text = to_csv(report);
    BOOST_TEST(contains(text, "\"the \"\"work\"\"; of\",2,f,\"a,b\",numeric"));
    BOOST_TEST(read(text).at(1).at(0) == "the \"work\"; of");
    BOOST_TEST(read(text).at(1).at(8) == "a+b or c");
}

BOOST_AUTO_TEST_CASE(no_cell_is_a_formula) {
    for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", "  =1",
                                "\n=cmd|' /C calc'!A0", "\u00a0=1", "\uff1d1+1"}) {
        Report report = make_report({make_part("f", 1, {make_wrong("a")})});
        report.submission = report.assignments.at(0).parts.at(0).checks.at(0).name = formula;
        for (const std::size_t column : {0U, 3U}) {
            const std::string cell = read(to_csv(report)).at(1).at(column);
            BOOST_TEST_CONTEXT(cell) {
                BOOST_TEST(cell.size() >= 2U);
                BOOST_TEST((cell.front() == '\'' || cell.front() == '?'));
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
