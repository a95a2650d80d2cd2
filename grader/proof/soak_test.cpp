// A short soak test. `selfcheck --soak 1000` is a long one.

#include "grader/proof/soak.h"

#include <boost/test/unit_test.hpp>
#include <fmt/ranges.h>

#include "grader/proof/harness.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(soak, *boost::unit_test::label("long"))

const Progress kQuiet = [](const std::string&) {};

BOOST_AUTO_TEST_CASE(mixed_submissions_get_the_same_marks_every_time) {
    const auto submissions = mixed_submissions(Installation(), 10);
    BOOST_TEST(submissions.size() == 10U);
    const Soak result = attn::proof::soak(Installation(), submissions, 20, kQuiet);
    BOOST_TEST(result.gradings == 20);
    BOOST_TEST(result.faults.empty(), fmt::format("{}", fmt::join(result.faults, "\n")));
}

BOOST_AUTO_TEST_CASE(a_mark_that_changes_is_a_fault) {
    // Two submissions with the same name stand for one whose marks change.
    Attack right, wrong;
    right.name = wrong.name = "changes";
    right.points = wrong.points = 30;
    right.text = solution("self_attention");
    wrong.outcome = Outcome::not_compiled;  // so that it is compiled each time
    wrong.text = "#error no\n";
    const Soak result = attn::proof::soak(Installation(), {right, wrong}, 2, kQuiet);
    BOOST_REQUIRE(result.faults.size() == 1U);
    BOOST_TEST(result.faults[0].find("marks were 20 35 30 and then 0 0 0") != std::string::npos,
               result.faults[0]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
