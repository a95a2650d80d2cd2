#include "grader/report/numbers.h"

#include <limits>

#include <boost/test/unit_test.hpp>

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(numbers)

BOOST_AUTO_TEST_CASE(a_tensor_is_printed_by_rows_with_empty_lines_between_batches) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const NumberBlock block = block_of({"X", {2, 2, 2}, {1, -2.5, 3, kNan, 0.25, 6, 7, 8}}, "X yours");
    const std::vector<std::string> expected{"X yours         1      -2.5", "                3       nan", "",
                                            "             0.25         6", "                7         8"};
    BOOST_TEST(block.lines == expected, boost::test_tools::per_element());
    BOOST_TEST(block.width == expected[0].size());
}

BOOST_AUTO_TEST_CASE(vectors_and_single_numbers_are_one_row) {
    BOOST_TEST(block_of({"b", {2}, {1, 2}}, "b").lines.size() == 1U);
    BOOST_TEST(block_of({"c", {}, {7}}, "c").lines.at(0) == "c         7");
}

BOOST_AUTO_TEST_CASE(two_tensors_have_as_many_digits_as_their_difference_needs) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    BOOST_TEST(digits_that_differ({"Y", {2}, {1, 2}}, {"Y", {2}, {1.5, 2}}) == 4);
    const Tensor yours{"Y", {3}, {0.0617111, kNan, 1}}, expected{"Y", {3}, {0.0617134, 3, 1}};
    const int digits = digits_that_differ(yours, expected);
    BOOST_TEST(digits == 7);
    BOOST_TEST(block_of(yours, "", digits).lines[0].substr(0, 13) !=
               block_of(expected, "", digits).lines[0].substr(0, 13));
    BOOST_TEST(digits_that_differ({"Y", {1}, {1e-9}}, {"Y", {1}, {1e-9}}) == 4);
    BOOST_TEST(digits_that_differ(1.0, 1 + 1e-15, 6) == 9);
}

BOOST_AUTO_TEST_CASE(an_input_of_few_digits_is_shown_with_all_of_them) {
    BOOST_TEST(digits_to_type_in({"X", {2}, {300, static_cast<double>(300.8F)}}) == 4);
    BOOST_TEST(digits_to_type_in({"X", {2}, {300, static_cast<double>(300.808F)}}) == 6);
    BOOST_TEST(digits_to_type_in({"X", {1}, {static_cast<double>(0.12345678F)}}) == 4);
    BOOST_TEST(digits_to_type_in({"X", {2}, {std::numeric_limits<double>::infinity(), -0.5}}) == 4);
}

BOOST_AUTO_TEST_CASE(a_row_that_is_too_long_goes_on_in_the_next_line) {
    const NumberBlock block = block_of({"W", {2, 3}, {1, 2, 3, 4, 5, 6}}, "W", 4, 24);
    const std::vector<std::string> expected{"W         1         2", "            3", "          4         5",
                                            "            6"};
    BOOST_TEST(block.lines == expected, boost::test_tools::per_element());
    BOOST_TEST(block_of({"W", {1, 2}, {1, 2}}, "W", 4, 5).lines.size() == 2U);  // never less than one number
}

BOOST_AUTO_TEST_CASE(blocks_are_printed_side_by_side_while_they_fit) {
    const NumberBlock tall = block_of({"Q", {2, 1}, {1, 2}}, "Q"), low = block_of({"K", {1, 1}, {3}}, "K");
    BOOST_TEST(side_by_side({tall, low}) == "Q         1    K         3\n          2\n");
    const NumberBlock wide = block_of({"W", {1, 8}, {1, 2, 3, 4, 5, 6, 7, 8}}, "W");
    const std::string text = side_by_side({wide, wide});
    BOOST_TEST(text == wide.lines[0] + "\n" + wide.lines[0] + "\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
