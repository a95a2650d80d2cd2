// Each part that measures time has a submission that grows too fast; right ones keep the points for growth.

#include "grader/proof/repeat_growth.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "grader/proof/proof_submissions.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/sample.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(repeat_growth)

bool measures_time(const rubric::PartRubric& part) {
    return part.growth && part.growth->time_above_plain > 0;
}

/// The assignments with points for the growth of time.
std::vector<rubric::Rubric> all_rubrics() {
    std::vector<rubric::Rubric> rubrics = rubric::read_rubrics(Installation().assignments);
    std::erase_if(rubrics, [](const rubric::Rubric& rubric) {
        return std::ranges::none_of(rubric.parts, measures_time);
    });
    BOOST_TEST(rubrics.size() >= 8U);
    return rubrics;
}

BOOST_AUTO_TEST_CASE(each_part_that_measures_time_has_a_solution_that_grows_too_fast) {
    for (const rubric::Rubric& rubric : all_rubrics()) {
        const auto growing = read_proof_submissions(Installation().proof_of(rubric.module->name)).growing;
        for (const rubric::PartRubric& part : rubric.parts) {
            const auto is_of_part = [&part](const GrowingSolution& each) {
                return each.function == part.function->name;
            };
            BOOST_TEST(std::ranges::any_of(growing, is_of_part) == measures_time(part),
                       rubric.number << " " << part.function->name);
        }
    }
}

BOOST_AUTO_TEST_CASE(right_solutions_pass_and_one_power_more_does_not) {
    constexpr int kGradings = 2;
    if (!at_most(0).is_all())
        return;  // other tests on the same processors would spoil the time; see `make test-all`
    for (const rubric::Rubric& rubric : all_rubrics())
        for (const RepeatedGrowth& each :
             attn::proof::repeat_growth(Installation(), rubric.number, kGradings, [](const auto&) {}))
            for (const std::string& fault : each.faults)
                BOOST_ERROR(std::to_string(each.assignment) + " " + each.function + ", " + fault);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
