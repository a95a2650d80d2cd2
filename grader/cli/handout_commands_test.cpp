// Every command in a handout, and in the page that handouts share, runs as it stands there.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "grader/ask/check.h"
#include "grader/proof/harness.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/run_grader.h"
#include "grader/training/shows.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(handout_commands)

namespace fs = std::filesystem;

std::vector<fs::path> handouts() {
    std::vector<fs::path> files;
    for (const auto& each : fs::directory_iterator(Installation().assignments))
        if (fs::exists(each.path() / "README.md")) files.push_back(each.path() / "README.md");
    BOOST_TEST_REQUIRE(files.size() >= 6U);
    return files;
}

std::vector<std::string> blocks_of(const std::string& page) {
    std::vector<std::string> blocks;
    std::istringstream lines(page);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) blocks.emplace_back();
        } else if (inside) {
            blocks.back() += line + "\n";
        }
    }
    return blocks;
}

Run in_shell(const fs::path& folder, const std::string& script) {
    worker::Command command;
    command.argv = {"/bin/sh", "-ec", script};
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin"};
    command.directory = folder;
    command.confinement.limits = kNoLimits;
    constexpr double kTimeLimit_s = 300;
    const worker::CommandResult result = worker::run_command(command, kTimeLimit_s, 1 << 20);
    BOOST_REQUIRE(!result.timed_out);
    return {result.ending.signal == 0 ? result.ending.exit_code : -1, result.printed};
}

/// Whether two texts have the same words, and numbers that differ by rounding only.
bool same_numbers(const std::string& left, const std::string& right) {
    constexpr double kRounding = 1e-4;
    std::istringstream a(left), b(right);
    for (std::string x, y; a >> x;) {
        if (!(b >> y)) return false;
        if (x == y) continue;
        char *x_end = nullptr, *y_end = nullptr;
        const double p = std::strtod(x.c_str(), &x_end), q = std::strtod(y.c_str(), &y_end);
        if (*x_end != 0 || *y_end != 0 || !(std::abs(p - q) <= kRounding * std::max(1.0, std::abs(q))))
            return false;
    }
    std::string rest;
    return !(b >> rest);
}

BOOST_AUTO_TEST_CASE(the_worked_examples_run_and_a_right_student_gives_the_references_answer) {
    const data::TemporaryDirectory place;
    fs::create_directories(place / "build/grader");
    fs::create_directories(place / "student");
    fs::create_symlink(testing::built_grader(), place / "build/grader/grader");
    for (const ask::Module& module : ask::modules())
        place.write("student/" + module.name + ".cpp", proof::solution(module.name));
    int commands = 0;
    std::vector<fs::path> pages = handouts();
    pages.push_back(Installation().assignments / "working.md");
    for (const fs::path& handout : pages) {
        for (const std::string& block : blocks_of(data::read_file(handout))) {
            if (!block.starts_with("build/grader/grader ")) continue;
            ++commands;
            std::string reference = block;
            for (const std::string own = "--impl student"; reference.find(own) != std::string::npos;)
                reference.replace(reference.find(own), own.size(), "--impl reference");
            const Run student = in_shell(place.path(), block + " 2>&1"),
                      right = in_shell(place.path(), reference + " 2>&1");
            BOOST_TEST_CONTEXT(handout << ": " << block << student.text) {
                BOOST_TEST(student.exit_code == 0);
                BOOST_TEST(same_numbers(student.text, right.text), right.text);
            }
        }
    }
    BOOST_TEST(commands >= 8);
}

BOOST_AUTO_TEST_CASE(the_checks_and_assignments_that_commands_name_exist) {
    std::set<std::string> parts, numbers;
    for (const submission::Rubric& rubric : submission::read_rubrics(Installation().assignments)) {
        numbers.insert(std::to_string(rubric.number));
        for (const submission::PartRubric& part : rubric.parts) {
            const std::string id = std::to_string(rubric.number) + "." + part.function->name + ".";
            for (const auto& each : part.cases) parts.insert(id + each.name);
            if (part.speed) parts.insert(id + "speed");
            if (part.growth) parts.insert(id + "growth");
        }
    }
    const std::regex check("make explain ID=([0-9a-z_.]+)"), assignment("make grade A=([0-9]+)"),
        show("make show A=([0-9]+)");
    std::set<std::string> shown;
    for (const trained::Show& each : trained::shows()) shown.insert(std::to_string(each.assignment));
    std::vector<fs::path> pages = handouts();
    pages.push_back(Installation().sources / "README.md");
    pages.push_back(Installation().assignments / "speed.md");
    int checks = 0, grades = 0, looks = 0;
    for (const fs::path& page : pages) {
        const std::string text = data::read_file(page);
        const std::sregex_iterator end;
        for (std::sregex_iterator each(text.begin(), text.end(), check); each != end; ++each, ++checks)
            BOOST_TEST(parts.count((*each)[1]) == 1U, page << ": " << each->str());
        for (std::sregex_iterator each(text.begin(), text.end(), assignment); each != end; ++each, ++grades)
            BOOST_TEST(numbers.count((*each)[1]) == 1U, page << ": " << each->str());
        for (std::sregex_iterator each(text.begin(), text.end(), show); each != end; ++each, ++looks)
            BOOST_TEST(shown.count((*each)[1]) == 1U, page << ": " << each->str());
    }
    BOOST_TEST(looks >= 5);
    BOOST_TEST(checks >= 6);
    BOOST_TEST(grades >= 30);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
