// Measures the speed of a plain solution of each assignment, and of faster solutions of one.

#include "grader/grading/measure.h"

#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/proof/harness.h"
#include "grader/speed/speed_checks.h"
#include "grader/testing/sample.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(measure, *boost::unit_test::label("long"))

constexpr double kBudget_s = 0.5;

/// Measures one part, without a limit for the assignment as a whole.
std::vector<report::Check> measured(const rubric::Rubric& rubric, const rubric::PartRubric& part,
                                    compile::Builds& timed) {
    TimeBudget no_limit(1e9);
    return attn::measure(rubric, part, {}, timed, Installation(), no_limit);
}

/// Measures every part of a rubric that has points for speed, with a small time budget.
std::vector<report::Check> measured(const rubric::Rubric& rubric, compile::Builds& timed) {
    std::vector<report::Check> checks;
    for (rubric::PartRubric part : rubric.parts) {
        if (part.speed) part.speed->budget_s = kBudget_s;
        if (part.growth) part.growth->budget_s = kBudget_s;
        for (report::Check& check : measured(rubric, part, timed)) {
            check.id = part.function->name + "." + check.name;
            checks.push_back(std::move(check));
        }
    }
    return checks;
}

/// The solutions of all assignments in one folder, because later ones build on earlier ones.
struct Solutions {
    explicit Solutions(const std::string& of_self_attention = "solution.cpp") {
        rubrics = rubric::read_rubrics(Installation().assignments);
        for (const rubric::Rubric& rubric : rubrics) {
            const bool own = rubric.module->name == "self_attention";
            folder.write(rubric.sources.front(),
                         data::read_file(Installation().proof_of(rubric.module->name) /
                                         (own ? of_self_attention : "solution.cpp")));
        }
        timed = std::make_unique<compile::Builds>(
            compile::Builds(folder.path(), rubrics, Installation()).timed());
    }
    data::TemporaryDirectory folder;
    std::vector<rubric::Rubric> rubrics;
    std::unique_ptr<compile::Builds> timed;
};

BOOST_AUTO_TEST_CASE(every_part_with_points_for_speed_can_be_measured) {
    const Solutions solutions;
    int speeds = 0, growths = 0, all_speeds = 0, all_growths = 0;
    // A sample of one assignment: some take 20 s.
    for (const rubric::Rubric& rubric : proof::drawn(solutions.rubrics, proof::at_most(1))) {
        for (const rubric::PartRubric& part : rubric.parts) {
            all_speeds += part.speed ? 1 : 0;
            all_growths += part.growth ? 1 : 0;
        }
        for (const report::Check& check : measured(rubric, *solutions.timed)) {
            BOOST_TEST_CONTEXT(check.id << ": " << name_of(check.outcome) << ", " << check.message) {
                if (check.kind == report::CheckKind::speed) {
                    ++speeds;
                    BOOST_REQUIRE(check.speed.has_value());
                    // The ends of the intervals, because a busy machine makes them wide. For the same reason the
                    // share has no upper limit here: what is uncertain counts in the student's favour.
                    BOOST_TEST(check.speed->times_plain.high > 0.3);
                    BOOST_TEST(check.speed->times_plain.low < 2.5);
                    BOOST_TEST(check.speed->times_yardstick.low < 0.8);
                    BOOST_TEST(check.speed->share > 0.05);
                    BOOST_TEST(check.speed->gflop > 0);
                    BOOST_TEST(check.speed->scale.back().share == 1);
                    BOOST_TEST(!check.speed->hint.empty());
                } else {
                    ++growths;
                    BOOST_REQUIRE(!check.growth.empty());
                    BOOST_TEST(name_of(check.outcome) == "passed");
                    for (const report::Growth& growth : check.growth) {
                        // The memory that a call needs beside its arrays may stay the same.
                        if (!growth.plain)
                            BOOST_TEST(growth.exponent.high > -0.5);
                        else
                            BOOST_TEST(growth.plain->exponent.high > 0.7);
                    }
                }
            }
        }
    }
    BOOST_TEST(speeds == all_speeds);
    BOOST_TEST(growths == all_growths);
}

BOOST_AUTO_TEST_CASE(a_faster_solution_is_measured_as_faster) {
    double speed = 0;
    for (const char* file : {"solution.cpp", "right_fused.cpp"}) {
        const Solutions solutions(file);
        for (const report::Check& check : measured(solutions.rubrics.at(1), *solutions.timed)) {
            if (check.kind != report::CheckKind::speed) continue;
            BOOST_REQUIRE_MESSAGE(check.speed.has_value(), check.message);
            BOOST_TEST(check.speed->times_plain.high > 2 * speed, file << " is as slow as the one before");
            BOOST_TEST(check.speed->share > 0.1, file << " has " << check.speed->share);
            speed = check.speed->times_plain.low;
        }
    }
}

BOOST_AUTO_TEST_CASE(growth_alone_is_measured_beside_stand_ins) {
    rubric::PartRubric rules;
    report::Part part;
    part.checks.emplace_back().outcome = Outcome::passed;
    part.stand_ins = {"layer_norm"};
    rules.growth.emplace();
    BOOST_TEST(speed::not_measured(rules, part, "").empty());
    rules.speed.emplace();
    BOOST_TEST(speed::not_measured(rules, part, "") == "Not measured: first layer_norm has to be right.");
}

BOOST_AUTO_TEST_CASE(a_compile_error_of_the_timed_build_is_reported) {
    const data::TemporaryDirectory folder;
    folder.write("self_attention.cpp", "#ifdef NDEBUG\n#error \"not so\"\n#endif\n");
    const rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / "02_self_attention");
    compile::Builds timed = compile::Builds(folder.path(), {rubric}, Installation()).timed();
    const auto checks = measured(rubric, timed);
    BOOST_REQUIRE(checks.size() == 2U);
    for (const report::Check& check : checks) {
        BOOST_TEST(name_of(check.outcome) == "not_compiled");
        BOOST_TEST(check.message.find("not so") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_rubric_may_allow_threads) {
    std::string text = proof::solution("self_attention");
    const auto at = text.find('{', text.find("void scaled_dot_product_attention(")) + 1;
    text.insert(at, "\n    std::thread other([] {});\n    other.join();\n");
    text.insert(0, "#include <thread>\n");
    const data::TemporaryDirectory folder;
    folder.write("self_attention.cpp", text);
    rubric::Rubric rubric = rubric::read_rubric(Installation().assignments / "02_self_attention");
    compile::Builds timed = compile::Builds(folder.path(), {rubric}, Installation()).timed();
    rubric::PartRubric part = rubric.parts.at(1);
    part.growth.reset();
    part.speed->budget_s = kBudget_s;
    BOOST_TEST(name_of(measured(rubric, part, timed).at(0).outcome) == "forbidden");
    part.speed->threads = 2;
    const report::Check allowed = measured(rubric, part, timed).at(0);
    BOOST_REQUIRE_MESSAGE(allowed.speed.has_value(), name_of(allowed.outcome) << allowed.message);
    BOOST_TEST(allowed.speed->threads == 2);
    BOOST_TEST(allowed.speed->share > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
