// The tasks that the handout has for VS Code: their patterns find the lines of a report that name a place.

#include <map>
#include <regex>
#include <sstream>

#include "grader/report/terminal_report.h"
#include "grader/testing/golden.h"
#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

BOOST_AUTO_TEST_SUITE(editor)

/// "file:line message" for each problem that the patterns of a task find in a text.
std::vector<std::string> problems_in(const std::string& text, const nlohmann::json& task) {
    std::vector<std::string> problems;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        for (const auto& matcher : task.at("problemMatcher")) {
            const auto& pattern = matcher.at("pattern");
            std::smatch found;
            const std::regex expression(pattern.at("regexp").get<std::string>());
            if (!std::regex_match(line, found, expression)) continue;
            const auto part = [&](const char* name) {
                return found[pattern.at(name).get<std::size_t>()].str();
            };
            problems.push_back(part("file") + ":" + part("line") + " " + part("message"));
        }
    return problems;
}

BOOST_AUTO_TEST_CASE(places_in_a_report_are_problems_of_the_editor) {
    const auto tasks = nlohmann::json::parse(
        data::read_file((testing::built().sources / "grader/kits/handout/vscode/tasks.json").string()));
    report::Check check = report::make_check("ragged", Outcome::out_of_bounds);
    check.message = "In X: element (0, 7) of [5, 7].";
    check.lines = SourceTrace{"", {{"self_attention.cpp", 19, "softmax", "Y(i, j) = X(i, j);"}}};
    report::Report report = report::make_report({report::make_part("softmax", 1, {check})});
    report.assignments.at(0).sources = {
        {"extra.cpp", true, false, "extra.cpp:4:7: error: 'Q' was not declared in this scope\n"}};
    std::ostringstream text;
    report::write_terminal(text, report, {});
    const std::vector<std::string> found = problems_in(text.str(), tasks.at("tasks").at(0));
    const std::vector<std::string> due = {"extra.cpp:4 'Q' was not declared in this scope",
                                          "self_attention.cpp:19 softmax:   Y(i, j) = X(i, j);"};
    BOOST_TEST(found == due, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::kits
