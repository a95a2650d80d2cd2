// What print() shows of a tensor.

#include "assignments/print.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(print)

BOOST_AUTO_TEST_CASE(a_matrix_has_its_shape_and_a_line_for_each_row) {
    const std::vector<float> numbers = {1, -2.5F, 1e-7F, 1234567, NAN, -INFINITY};
    BOOST_TEST(detail::tensor_text("E", TensorView<const float, 2>(numbers.data(), 2, 3)) ==
               "E [2, 3]\n"
               "           1       -2.5      1e-07\n"
               "  1.2346e+06        nan       -inf\n");
    const std::uint8_t mask[] = {1, 0, 1};
    BOOST_TEST(detail::tensor_text("mask", TensorView<const std::uint8_t, 1>(mask, 3)) ==
               "mask [3]\n     1    0    1\n");
}

BOOST_AUTO_TEST_CASE(a_large_tensor_is_cut_and_says_so) {
    std::vector<int> numbers(static_cast<std::size_t>(4 * 12 * 11));
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::string text = detail::tensor_text("T", TensorView<const int, 3>(numbers.data(), 4, 12, 11));
    BOOST_TEST(
        text.find(
            "T [4, 12, 11]\nT[0] [12, 11]\n     0    1    2    3    4    5    6    7    8    9  ..\n") == 0U);
    BOOST_TEST(text.find("\n   ..\nT[1] [12, 11]\n") != std::string::npos);
    BOOST_TEST(text.ends_with("   ..\nT[..]\n"));
    BOOST_TEST(text.find("T[3]") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_view_of_nothing_is_not_read) {
    BOOST_TEST(detail::tensor_text("A", TensorView<float, 3>()) == "A: a view of nothing\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
