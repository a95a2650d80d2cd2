#include "grader/grading/give_points.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(give_points)

/// A part with 30 points for its cases, 20 for its properties, 12 for its speed and 3 for its growth.
struct PartWithChecks {
    rubric::Rubric rubric;
    rubric::PartRubric rules;
    report::Part part;

    explicit PartWithChecks(const std::vector<std::pair<report::CheckKind, Outcome>>& checks) {
        rubric.number = 2;
        rules.numeric_points = 30;
        rules.property_points = 20;
        rules.speed.emplace().points = 12;
        rules.growth.emplace().points = 3;
        part.function = "f";
        for (const auto& [kind, outcome] : checks) {
            report::Check check;
            check.name = "c" + std::to_string(part.checks.size());
            check.kind = kind;
            check.outcome = outcome;
            part.checks.push_back(check);
        }
    }
    /// Gives the points, and returns those of the part.
    double points(const Counted& counted = {}) {
        part.points = part.max_points = 0;
        attn::give_points(rubric, rules, counted, part);
        return part.points;
    }
    void set_measured_share(double share) { part.checks.back().speed.emplace().share = share; }
};

using report::CheckKind;

constexpr auto kPassed = Outcome::passed, kWrong = Outcome::wrong, kSlow = Outcome::slow;

BOOST_AUTO_TEST_CASE(each_check_of_a_kind_has_an_equal_share) {
    PartWithChecks test({{CheckKind::numeric, kPassed},
                         {CheckKind::numeric, kWrong},
                         {CheckKind::numeric, kPassed},
                         {CheckKind::property, kPassed}});
    BOOST_TEST(test.points() == 40.0);
    BOOST_TEST(test.part.max_points == 65.0);
    BOOST_TEST(test.part.checks.at(0).points == 10.0);
    BOOST_TEST(test.part.checks.at(1).points == 0.0);
    BOOST_TEST(test.part.checks.at(1).max_points == 10.0);
    BOOST_TEST(test.part.checks.at(3).id == "2.f.c3");
}

BOOST_AUTO_TEST_CASE(all_checks_passed_gives_exactly_all_points) {
    std::vector<std::pair<report::CheckKind, Outcome>> checks(49, {CheckKind::numeric, kPassed});
    checks.emplace_back(CheckKind::property, kPassed);
    checks.emplace_back(CheckKind::growth, kPassed);
    checks.emplace_back(CheckKind::speed, kPassed);
    PartWithChecks test(checks);
    test.set_measured_share(1);
    BOOST_TEST(test.points() == 65.0);
    BOOST_TEST(test.part.points == test.part.max_points);
}

BOOST_AUTO_TEST_CASE(speed_earns_its_share_if_the_numbers_are_right) {
    for (const Outcome outcome : {kPassed, kSlow}) {
        PartWithChecks test({{CheckKind::speed, outcome}});
        BOOST_TEST(test.points() == 0.0);  // nothing was measured
        test.set_measured_share(0.75);
        BOOST_TEST(test.points() == 9.0);
        BOOST_TEST(test.part.checks.back().max_points == 12.0);
        for (const auto& [share, due] : {std::pair{2.0, 12.0},
                                         {-1.0, 0.0},
                                         {std::numeric_limits<double>::quiet_NaN(), 0.0},
                                         {std::numeric_limits<double>::infinity(), 12.0}}) {
            test.set_measured_share(share);
            BOOST_TEST(test.points() == due);
        }
    }
    for (std::size_t k = 0; k < kOutcomeNames.size(); ++k) {
        const auto outcome = static_cast<Outcome>(k);
        if (outcome == kPassed || outcome == kSlow) continue;
        PartWithChecks test({{CheckKind::speed, outcome}});
        test.set_measured_share(1);
        BOOST_TEST(test.points() == 0.0, kOutcomeNames.at(k));
    }
}

BOOST_AUTO_TEST_CASE(growth_earns_all_or_nothing) {
    BOOST_TEST(PartWithChecks({{CheckKind::growth, kPassed}}).points() == 3.0);
    BOOST_TEST(PartWithChecks({{CheckKind::growth, kSlow}}).points() == 0.0);
}

BOOST_AUTO_TEST_CASE(the_points_for_speed_count_only_if_speed_is_measured) {
    PartWithChecks test({{CheckKind::numeric, kPassed},
                         {CheckKind::property, kPassed},
                         {CheckKind::speed, Outcome::skipped},
                         {CheckKind::growth, Outcome::skipped}});
    BOOST_TEST(test.points({.speed = false}) == 50.0);
    BOOST_TEST(test.part.max_points == 50.0);
    BOOST_TEST(test.part.checks.back().max_points == 0.0);
    BOOST_TEST(report::all_passed(test.part));
    // If they count, a skipped check has not passed.
    BOOST_TEST(test.points() == 50.0);
    BOOST_TEST(test.part.max_points == 65.0);
    BOOST_TEST(!report::all_passed(test.part));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
