// Functions that lose points for what may be one mistake.

#include "grader/grading/one_mistake.h"

#include <boost/test/unit_test.hpp>

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(one_mistake)

report::Part part(const std::string& function, Outcome outcome, const std::string& said = {}) {
    report::Part made;
    made.function = function;
    report::Check& check = made.checks.emplace_back();
    check.outcome = outcome;
    if (outcome == Outcome::wrong) check.difference.emplace();
    if (!said.empty()) check.diagnosis = report::Diagnosis{{"a_name"}, said, {}};
    return made;
}

/// What is said of each function.
std::vector<std::string> said_of(std::vector<report::Part> parts, const compile::Calls& calls = {}) {
    report::Assignment assignment;
    std::map<std::string, compile::Calls> of_parts;
    for (const report::Part& each : parts) of_parts[each.function] = calls;
    assignment.parts = std::move(parts);
    add_costs_elsewhere(of_parts, assignment);
    std::vector<std::string> said;
    for (const report::Part& each : assignment.parts) said.push_back(each.costs_elsewhere);
    return said;
}

BOOST_AUTO_TEST_CASE(functions_with_the_same_named_mistake_are_listed_once) {
    const auto said = said_of({part("a", Outcome::wrong, "int"), part("b", Outcome::passed),
                               part("c", Outcome::wrong, "int"), part("d", Outcome::wrong, "another"),
                               part("e", Outcome::wrong, "int")});
    BOOST_TEST(said[0] == "c and e have the same mistake, which costs points there, too");
    for (const std::size_t other : {1U, 2U, 3U, 4U}) BOOST_TEST(said[other].empty());
    BOOST_TEST(said_of({part("a", Outcome::wrong, "int"), part("b", Outcome::wrong, "int")})[0] ==
               "b has the same mistake, which costs points there, too");
}

BOOST_AUTO_TEST_CASE(of_many_functions_the_first_ones_are_named) {
    std::vector<report::Part> parts;
    for (const char* const name : {"a", "b", "c", "d", "e"})
        parts.push_back(part(name, Outcome::wrong, "int"));
    BOOST_TEST(said_of(parts)[0] == "b, c, d and e have the same mistake, which costs points there, too");
    for (const char* const name : {"f", "g"}) parts.push_back(part(name, Outcome::wrong, "int"));
    BOOST_TEST(said_of(parts)[0] ==
               "b, c, d and 3 others have the same mistake, which costs points there, too");
}

const compile::Calls kCalls = {
    {"a", {"sig"}}, {"b", {"between"}}, {"between", {"sig"}}, {"c", {"a"}}, {"sig", {}}};
const std::string kSaid = "this function and b call your sig, where a mistake costs points in each of them";

BOOST_AUTO_TEST_CASE(functions_that_call_the_same_helper_are_listed_once) {
    const auto said = said_of(
        {part("a", Outcome::wrong), part("b", Outcome::not_finite), part("c", Outcome::wrong)}, kCalls);
    BOOST_TEST(said[0] == kSaid);
    BOOST_TEST((said[1].empty() && said[2].empty()));  // c calls sig through a, which has points of its own
}

BOOST_AUTO_TEST_CASE(nothing_is_said_of_a_helper_without_reason) {
    const auto none = [](const std::vector<report::Part>& parts) {
        for (const std::string& said : said_of(parts, kCalls))
            if (!said.empty()) return false;
        return true;
    };
    BOOST_TEST(none({part("a", Outcome::wrong), part("b", Outcome::passed)}));  // b calls it and is right
    BOOST_TEST(none({part("a", Outcome::wrong), part("c", Outcome::wrong)}));
    BOOST_TEST(none({part("a", Outcome::wrong, "one"), part("b", Outcome::wrong, "another")}));
    BOOST_TEST(none({part("a", Outcome::not_implemented), part("b", Outcome::not_implemented)}));
    std::vector<report::Part> not_refused = {part("a", Outcome::wrong), part("b", Outcome::wrong)};
    for (report::Part& each : not_refused) each.checks.front().difference.reset();
    BOOST_TEST(none(not_refused));  // what checks the inputs is another helper
    report::Part charged = part("b", Outcome::wrong);
    charged.mistake_charged_at = "a";
    BOOST_TEST(none({part("a", Outcome::wrong), charged}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
