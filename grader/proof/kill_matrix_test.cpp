#include "grader/proof/kill_matrix.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/grading/grade.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(kill_matrix)

using boost::test_tools::per_element;

/// Four mistakes, two cases and a property. Both cases catch the first mistake, the second case the second
/// one, the property the third one. Nothing catches the fourth.
PartMatrix small() {
    PartMatrix matrix;
    matrix.function = "f";
    matrix.columns = {{"a", false, ""}, {"b", false, ""}, {"p", true, ""}};
    matrix.caught = {{true, true, false}, {false, true, false}, {false, false, true}, {false, false, false}};
    matrix.called = {{"one"}, {"two", "one"}, {}, {}};
    return matrix;
}

rubric::Rubric self_attention() {
    return rubric::read_rubric(Installation().assignments / "02_self_attention");
}

BOOST_AUTO_TEST_CASE(caught_mistakes_are_counted_by_column) {
    const PartMatrix matrix = small();
    for (const auto& [column, kills, first] : {std::tuple{0U, 1, 1}, {1U, 2, 1}, {2U, 1, 1}}) {
        BOOST_TEST(matrix.number_caught(column) == kills);
        BOOST_TEST(matrix.number_first_caught(column) == first);
    }
    BOOST_TEST(matrix.catches(2));
    BOOST_TEST(!matrix.catches(3));
}

BOOST_AUTO_TEST_CASE(a_mistake_has_the_names_of_the_first_part_that_catches_it) {
    PartMatrix before = small();
    before.caught = {
        {false, false, false}, {false, false, false}, {false, false, false}, {false, false, false}};
    BOOST_TEST(names_of({before, small()}, "one", 0) == std::vector<std::string>{"one"}, per_element());
    BOOST_TEST(names_of({before, small()}, "two", 1) == (std::vector<std::string>{"two", "one"}),
               per_element());
    BOOST_TEST(names_of({small()}, "three", 2).empty());  // caught without a name
    BOOST_TEST(names_of({small()}, "four", 3).empty());   // never caught
    BOOST_TEST(names_of({small()}, "two", 0).empty());    // only other names
}

BOOST_AUTO_TEST_CASE(mistakes_are_caught_in_the_parts_that_they_change) {
    const rubric::Rubric rubric = self_attention();
    const auto parts = attn::proof::kill_matrix(rubric, kPublicSeed);
    const auto& mistakes = rubric.module->mistakes;
    const auto number = [&mistakes](const char* name) {
        return static_cast<std::size_t>(
            std::find_if(mistakes.begin(), mistakes.end(), [name](const auto& m) { return m.name == name; }) -
            mistakes.begin());
    };
    const auto caught = [&](std::size_t part, const char* mistake, const char* column) {
        const auto& columns = parts.at(part).columns;
        const auto at = std::find_if(columns.begin(), columns.end(),
                                     [column](const auto& c) { return c.name == column; });
        return parts.at(part).caught.at(number(mistake)).at(static_cast<std::size_t>(at - columns.begin()));
    };
    BOOST_REQUIRE(parts.size() == 3U);
    BOOST_TEST(!parts[0].catches(number("no_scale")));  // softmax has no scale
    BOOST_TEST(parts[1].catches(number("no_scale")));
    BOOST_TEST(caught(0, "no_maximum", "overflow"));
    BOOST_TEST(!caught(0, "no_maximum", "ragged"));
    BOOST_TEST(caught(0, "no_exp", "shift_invariant"));
    BOOST_TEST(!caught(1, "no_scale", "one_key"));  // the one weight is 1 with any scale
}

BOOST_AUTO_TEST_CASE(half_precision_passes_nowhere_and_full_precision_everywhere) {
    const rubric::Rubric rubric = self_attention();
    constexpr int kBfloat16 = 8, kHalf = 11, kFloat = 24;
    BOOST_TEST(pass_when_rounded(rubric, kPublicSeed, kBfloat16).empty());
    BOOST_TEST(pass_when_rounded(rubric, kPublicSeed, kHalf).empty());
    // With all bits kept no number changes, so no function counts as passing.
    BOOST_TEST(pass_when_rounded(rubric, kPublicSeed, kFloat).empty());
    // With one bit less than float every function passes, so the check can detect that.
    BOOST_TEST(pass_when_rounded(rubric, kPublicSeed, kFloat - 1).size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
