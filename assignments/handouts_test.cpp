// Every handout has the sections of the guide in the guide's order, and a table of steps with the rubric's points.

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/text_lines.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/built.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(handouts)

using rubric::PartRubric;
using rubric::Rubric;

const std::vector<Rubric>& rubrics_of_handouts() {
    static const auto kAll = rubric::read_rubrics(testing::built().assignments);
    return kAll;
}

std::vector<std::string> lines_of_handout(const Rubric& rubric) {
    return lines_in(data::read_file(rubric.folder / "README.md"));
}

/// The sections of the guide in assignments/README.md. The steps count as one.
std::vector<std::string> sections_of_guide() {
    std::string guide = data::read_file(testing::built().assignments / "README.md");
    guide = guide.substr(guide.find("\nThe steps  ") + 1);
    std::vector<std::string> names;
    for (const std::string& line : lines_in(guide.substr(0, guide.find("```"))))
        names.push_back(line.starts_with("Step 1: ") ? "Step" : line.substr(0, line.find("  ")));
    return names;
}

BOOST_AUTO_TEST_CASE(sections_have_the_order_of_the_guide) {
    const auto guide = sections_of_guide();
    BOOST_TEST(guide.size() == 12U);
    for (const Rubric& rubric : rubrics_of_handouts()) {
        std::size_t at = 0, step = 0;
        for (const std::string& line : lines_of_handout(rubric)) {
            if (!line.starts_with("## ")) continue;
            const bool is_step = line.starts_with("## Step ");
            if (is_step)
                BOOST_TEST(line.starts_with(fmt::format("## Step {}: ", ++step)), rubric.folder << line);
            const auto found = std::find(guide.begin() + static_cast<std::ptrdiff_t>(at), guide.end(),
                                         is_step ? "Step" : line.substr(3));
            BOOST_TEST((found != guide.end()),
                       rubric.folder << ": \"" << line << "\" is no section of the guide, or comes too late");
            if (found != guide.end()) at = static_cast<std::size_t>(found - guide.begin());
        }
        BOOST_TEST(step == rubric.parts.size(), rubric.folder);
    }
}

/// "| 12 |", or "|" for no points.
std::string cell_of(double points) {
    return points == 0 ? " |" : fmt::format(" {} |", points);
}

/// What follows the words of a row in a table of steps.
std::string points_of(const Rubric& rubric, const PartRubric& part) {
    const auto any = [&rubric](auto has) { return std::ranges::any_of(rubric.parts, has); };
    const double speed = part.speed ? part.speed->points : 0, growth = part.growth ? part.growth->points : 0;
    std::string cells = cell_of(part.numeric_points) + cell_of(part.property_points);
    if (any([](const PartRubric& each) { return each.speed.has_value(); })) cells += cell_of(speed);
    if (any([](const PartRubric& each) { return each.growth.has_value(); })) cells += cell_of(growth);
    return cells + cell_of(part.numeric_points + part.property_points + speed + growth);
}

/// A student reads on the first page what to do. A screen of a browser has about as many lines.
BOOST_AUTO_TEST_CASE(the_first_page_has_the_rubrics_points_and_the_command) {
    constexpr std::size_t kFirstPage = 40;
    constexpr std::ptrdiff_t kFirstStep = 70;
    for (const Rubric& rubric : rubrics_of_handouts()) {
        auto lines = lines_of_handout(rubric);
        const auto step = std::ranges::find_if(
            lines, [](const std::string& line) { return line.starts_with("## Step 1: "); });
        BOOST_TEST((step - lines.begin() < kFirstStep), rubric.folder);
        lines.resize(std::min(lines.size(), kFirstPage));
        std::string page;
        for (const std::string& line : lines) page += line + "\n";
        BOOST_TEST((page.find(fmt::format("`make grade A={}`", rubric.number)) != std::string::npos),
                   rubric.folder);
        for (const PartRubric& part : rubric.parts) {
            const std::string row = fmt::format("\n| {} | `{}` |", part.step, part.function->name);
            const std::size_t at = page.find(row);
            BOOST_TEST_REQUIRE(at != std::string::npos, rubric.folder << ": no row" << row);
            const std::string cells = page.substr(page.find('|', at + row.size()) + 1);
            BOOST_TEST(cells.starts_with(points_of(rubric, part)),
                       rubric.folder << row << ": the rubric has" << points_of(rubric, part));
        }
    }
}

/// A kit for a course turns links to handouts that it leaves out into plain text, line by line.
BOOST_AUTO_TEST_CASE(links_to_other_assignments_stand_on_one_line) {
    static const std::regex kLink(R"(\]\(\.\./[0-9])"), kWhole(R"(\[[^\]\[]+\]\(\.\./[0-9])");
    std::ptrdiff_t links = 0;
    const auto count = [](const std::string& line, const std::regex& pattern) {
        return std::distance(std::sregex_iterator(line.begin(), line.end(), pattern), {});
    };
    for (const Rubric& rubric : rubrics_of_handouts())
        for (const std::string& line : lines_of_handout(rubric)) {
            BOOST_TEST(count(line, kLink) == count(line, kWhole), rubric.folder << ": " << line);
            links += count(line, kLink);
        }
    BOOST_TEST(links >= 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
