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

#include "datasets/files/file_error.h"
#include "grader/ask/module.h"
#include "grader/models/shows.h"
#include "grader/proof/harness.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/run_grader.h"
#include "grader/testing/sample.h"
#include "reference/models/tasks.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(handout_commands, *boost::unit_test::label("long"))

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
    return run_in(folder, {"/bin/sh", "-ec", script});
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
    const proof::Sample sample = proof::at_most(8);
    for (const fs::path& handout : proof::drawn(pages, sample)) {
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
    BOOST_TEST(commands >= (sample.is_all() ? 8 : 1));
}

/// The pages with commands that students type.
std::vector<fs::path> pages_with_commands() {
    std::vector<fs::path> pages = handouts();
    pages.push_back(Installation().sources / "README.md");
    for (const char* page : {"working.md", "speed.md"}) pages.push_back(Installation().assignments / page);
    for (const char* page : {"classes", "emulator", "kits"})
        pages.push_back(Installation().sources / "grader" / page / "README.md");
    return pages;
}

/// What a command has in the place of the pattern's group, on all these pages.
std::multiset<std::string> named_by(const std::string& pattern) {
    const std::regex command(pattern);
    std::multiset<std::string> names;
    for (const fs::path& page : pages_with_commands()) {
        const std::string text = data::read_file(page);
        for (std::sregex_iterator each(text.begin(), text.end(), command), end; each != end; ++each)
            names.insert((*each)[1]);
    }
    return names;
}

BOOST_AUTO_TEST_CASE(the_checks_and_assignments_that_commands_name_exist) {
    std::set<std::string> parts, numbers;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments)) {
        numbers.insert(std::to_string(rubric.number));
        for (const rubric::PartRubric& part : rubric.parts) {
            const std::string id = std::to_string(rubric.number) + "." + part.function->name + ".";
            for (const auto& each : part.cases) parts.insert(id + each.name);
            if (part.speed) parts.insert(id + "speed");
            if (part.growth) parts.insert(id + "growth");
        }
    }
    const auto checks = named_by("make (?:explain|debug) ID=([0-9a-z_.]+)"),
               grades = named_by("make grade A=([0-9]+)");
    for (const std::string& check : checks) BOOST_TEST(parts.contains(check), check);
    for (const std::string& number : grades) BOOST_TEST(numbers.contains(number), number);
    BOOST_TEST(checks.size() >= 6U);
    BOOST_TEST(grades.size() >= 30U);
}

BOOST_AUTO_TEST_CASE(the_models_that_commands_name_exist) {
    std::set<std::string> shown;
    for (const trained::Show& show : trained::shows()) shown.insert(std::to_string(show.assignment));
    const auto shows = named_by("make show A=([0-9]+)"), models = named_by("make train MODEL=([a-z_]+)");
    BOOST_TEST((std::set<std::string>(shows.begin(), shows.end()) == shown));
    for (const std::string& model : models) BOOST_TEST_CONTEXT(model) training::task_named(model);
    BOOST_TEST(models.size() >= 3U);
    for (const fs::path& handout : handouts()) {
        const std::string number = std::to_string(std::stoi(handout.parent_path().filename().string()));
        const bool mentions =
            data::read_file(handout).find("`make show A=" + number + "`") != std::string::npos;
        BOOST_TEST(mentions == shown.contains(number), handout);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
