// Chooses the smallest set of stand-ins, and checks that a stand-in's library has no other function of the
// reference.

#include "grader/grading/carry_forward.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/compile/stand_ins.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"
#include "grader/worker/process.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(carry_forward, *boost::unit_test::label("long"))

using Names = std::vector<std::string>;
using boost::test_tools::per_element;

std::vector<report::Check> checks_with(int passed, int of) {
    std::vector<report::Check> checks(static_cast<std::size_t>(of));
    for (int k = 0; k < of; ++k)
        checks[static_cast<std::size_t>(k)].outcome = k < passed ? Outcome::passed : Outcome::wrong;
    return checks;
}

/// Simulates a student. The earlier functions `broken` are wrong. With stand-ins for all of them, `right` of
/// 4 checks pass. Each call is recorded in `calls`.
JudgeWith student(const Names& broken, int right, std::vector<Names>& calls) {
    return [&broken, right, &calls](const Names& stand_ins) {
        calls.push_back(stand_ins);
        for (const std::string& each : broken)
            if (std::find(stand_ins.begin(), stand_ins.end(), each) == stand_ins.end())
                return checks_with(1, 4);
        return checks_with(right, 4);
    };
}

BOOST_AUTO_TEST_CASE(a_part_that_is_right_or_builds_on_nothing_is_not_judged_again) {
    std::vector<Names> calls;
    const Names none;
    BOOST_TEST(!attn::carry_forward(checks_with(4, 4), {"f"}, student(none, 4, calls)).has_value());
    BOOST_TEST(!attn::carry_forward(checks_with(1, 4), {}, student(none, 4, calls)).has_value());
    BOOST_TEST(calls.empty());
}

BOOST_AUTO_TEST_CASE(only_wrong_functions_get_a_stand_in) {
    for (const Names& broken : {Names{"f"}, Names{"g"}, Names{"h"}, Names{"f", "h"}, Names{"f", "g", "h"}}) {
        std::vector<Names> calls;
        const auto carried =
            attn::carry_forward(checks_with(1, 4), {"f", "g", "h"}, student(broken, 4, calls));
        BOOST_REQUIRE(carried.has_value());
        BOOST_TEST(carried->stand_ins == broken, per_element());
        BOOST_TEST((carried->checks.back().outcome == Outcome::passed));
    }
}

BOOST_AUTO_TEST_CASE(a_part_that_is_wrong_itself_keeps_its_own_checks) {
    std::vector<Names> calls;
    const Names none;
    BOOST_TEST(!attn::carry_forward(checks_with(1, 4), {"f", "g"}, student(none, 1, calls)).has_value());
    BOOST_TEST(calls.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_mistake_that_the_earlier_one_hid_is_charged_to_the_part) {
    std::vector<Names> calls;
    const Names broken{"g"};
    const auto carried = attn::carry_forward(checks_with(1, 4), {"f", "g"}, student(broken, 3, calls));
    BOOST_REQUIRE(carried.has_value());
    BOOST_TEST(carried->stand_ins == broken, per_element());
    BOOST_TEST((carried->checks.at(2).outcome == Outcome::passed));
    BOOST_TEST((carried->checks.at(3).outcome == Outcome::wrong));
}

BOOST_AUTO_TEST_CASE(the_mistake_of_an_earlier_function_is_not_repeated) {
    const auto diagnosed = [](const std::string& mistakes) {
        auto checks = checks_with(1, 4);
        for (std::size_t k = 1; k < checks.size(); ++k)
            checks[k].diagnosis = report::Diagnosis{{mistakes}, "", {}};
        return checks;
    };
    const auto carried =
        attn::carry_forward(diagnosed("own+earlier"), {"f", "g"}, [&](const Names& stand_ins) {
            return diagnosed(std::count(stand_ins.begin(), stand_ins.end(), "f") == 1 ? "own"
                                                                                      : "own+earlier");
        });
    BOOST_REQUIRE(carried.has_value());
    BOOST_TEST(carried->stand_ins == Names{"f"}, per_element());
    BOOST_TEST(carried->checks.back().diagnosis->mistakes == Names{"own"}, per_element());
}

BOOST_AUTO_TEST_CASE(a_mistake_is_charged_once_within_an_assignment) {
    const report::Report report = proof::grade_source(
        proof::edited(proof::solution("self_attention"), {{"std::exp(X(i, j) - m)", "X(i, j)"}}));
    BOOST_TEST(proof::part(report, "softmax").points < 10);
    for (const char* later : {"scaled_dot_product_attention", "self_attention"}) {
        const report::Part& part = proof::part(report, later);
        BOOST_TEST(part.points == part.max_points);
        BOOST_TEST(part.stand_ins == Names{"softmax"}, per_element());
    }
}

/// Grades assignment `number` in a submission with these files.
report::Assignment grade_files(const std::vector<std::pair<std::string, std::string>>& files, int number) {
    const data::TemporaryDirectory folder;
    for (const auto& [name, text] : files) folder.write(name, text);
    GradeOptions options;
    options.submission = folder.path();
    options.assignment = number;
    options.speed = false;
    return grade(options).assignments.at(0);
}

BOOST_AUTO_TEST_CASE(a_mistake_is_charged_once_across_assignments) {
    using proof::edited;
    using proof::solution;
    const std::string block = solution("transformer_block");
    const std::string heads = solution("multi_head"), wrong_heads = edited(heads, {{"dot / scale", "dot"}});
    // The block calls the multi-head attention of assignment 3. Try it right and wrong.
    for (const bool wrong : {false, true}) {
        const report::Assignment graded = grade_files(
            {{"multi_head.cpp", wrong ? wrong_heads : heads}, {"transformer_block.cpp", block}}, 5);
        BOOST_TEST(graded.points == 87.0);
        const report::Part& part = graded.parts.at(2);
        BOOST_TEST(part.function == "transformer_block");
        BOOST_TEST(part.stand_ins == (wrong ? Names{"multi_head_attention"} : Names{}), per_element());
    }
    // A missing file has the same effect.
    const report::Assignment alone = grade_files({{"transformer_block.cpp", block}}, 5);
    BOOST_TEST(alone.points == 87.0);
    BOOST_TEST(alone.parts.at(2).stand_ins == Names{"multi_head_attention"}, per_element());
}

/// The demangled symbols of a stand-in's library: the exported ones, or all.
std::string symbols_of(const std::string& function, bool exported) {
    worker::Command command;
    command.argv = {"/usr/bin/env",   "nm",         exported ? "--dynamic" : "--debug-syms",
                    "--defined-only", "--demangle", compile::stand_in_for(function, Installation()).string()};
    command.environment = {"PATH=/usr/bin:/bin"};
    command.directory = Installation().sources;
    const worker::CommandResult result = worker::run_command(command, 30, 1 << 20);
    BOOST_REQUIRE(result.ending.exit_code == 0);
    return result.printed;
}

BOOST_AUTO_TEST_CASE(a_stand_in_exports_only_its_own_function) {
    for (const ask::Module& module : ask::modules()) {
        for (const ask::Function& function : module.functions) {
            const std::string symbols = symbols_of(function.name, true);
            BOOST_TEST(std::count(symbols.begin(), symbols.end(), '\n') == 1);
            BOOST_TEST(symbols.find(" T attn::" + function.name + "(") != std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(no_stand_in_contains_the_function_of_the_part_that_uses_it) {
    int checked = 0;
    std::map<std::string, std::string> symbols_in;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments)) {
        for (const rubric::PartRubric& part : rubric.parts) {
            for (const std::string& earlier : part.may_call) {
                std::string& symbols = symbols_in[earlier];
                if (symbols.empty()) symbols = symbols_of(earlier, false);
                BOOST_TEST(symbols.find(" T attn::" + earlier + "(") != std::string::npos);
                BOOST_TEST(symbols.find("attn::" + part.function->name + "(") == std::string::npos);
                BOOST_TEST(symbols.find("attn::cpu::" + part.function->name + "<") == std::string::npos);
                ++checked;
            }
        }
    }
    BOOST_TEST(checked > 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
