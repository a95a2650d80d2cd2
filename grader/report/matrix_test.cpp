#include <limits>

#include <boost/test/unit_test.hpp>

#include "grader/report/numbers.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(matrix)

using boost::test_tools::per_element;
using Lines = std::vector<std::string>;

Tensor counting(std::vector<int> shape) {
    std::size_t count = 1;
    for (const int length : shape) count *= static_cast<std::size_t>(length);
    Tensor tensor{"T", std::move(shape), std::vector<double>(count)};
    for (std::size_t k = 0; k < count; ++k) tensor.values[k] = static_cast<double>(k);
    return tensor;
}

BOOST_AUTO_TEST_CASE(a_matrix_has_indices_along_its_sides) {
    const NumberBlock block = matrix_of(counting({2, 3}), "Y", {}, {false, true, false, false, false, true});
    BOOST_TEST(block.lines == (Lines{"Y [2, 3]",                               //
                                     "              0          1          2",  //
                                     "   0          0          1*         2",  //
                                     "   1          3          4          5*"}),
               per_element());
    BOOST_TEST(block.width == 38U);
}

BOOST_AUTO_TEST_CASE(with_more_axes_the_matrix_that_contains_the_element_is_shown) {
    const NumberBlock block = matrix_of(counting({2, 3, 2, 2}), "A", {{1, 2, 0, 1}});
    BOOST_TEST(block.lines == (Lines{"A [2, 3, 2, 2], at (1, 2, ., .)",  //
                                     "              0          1",       //
                                     "   0         20         21",       //
                                     "   1         22         23"}),
               per_element());
}

BOOST_AUTO_TEST_CASE(a_window_surrounds_the_element_and_marks_cut_rows_and_columns) {
    const Tensor tensor = counting({10, 10});
    const auto middle = matrix_of(tensor, "T", {{5, 5}, 3, 2}).lines;
    BOOST_TEST(middle == (Lines{"T [10, 10]",                     //
                                "              4          5 ..",  //
                                "   ..",                          //
                                "   4         44         45",     //
                                "   5         54         55",     //
                                "   6         64         65", "   .."}),
               per_element());
    const auto corner = matrix_of(tensor, "T", {{9, 9}, 2, 2}).lines;
    BOOST_TEST(corner.back() == "   9         98         99");
    BOOST_TEST(matrix_of(tensor, "T", {{0, 0}, 2, 2}).lines.at(2) == "   0          0          1");
}

BOOST_AUTO_TEST_CASE(vectors_numbers_and_nan_are_shown) {
    BOOST_TEST(matrix_of(counting({2}), "b", {}).lines.back() == "              0          1");
    const Tensor number{"H", {}, {-std::numeric_limits<double>::quiet_NaN()}};
    BOOST_TEST(matrix_of(number, "H", {}).lines.back() == "            nan");
    BOOST_TEST(matrix_of({"E", {0, 3}, {}}, "E", {}).lines.front() == "E [0, 3]");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
