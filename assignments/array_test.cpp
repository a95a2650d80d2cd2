#include "assignments/array.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <boost/test/unit_test.hpp>

using attn::Array;
using attn::Shape;
using boost::test_tools::per_element;

BOOST_AUTO_TEST_SUITE(array)

namespace {

/// [[1, -2, 3], [4, 5, 6.5]]
Array example() {
    return Array("X", {2, 3}, std::vector<float>{1, -2, 3, 4, 5, 6.5F});
}

/// The text of the std::invalid_argument that `action` throws.
template <class Action>
std::string complaint(const Action& action) {
    try {
        action();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

BOOST_AUTO_TEST_CASE(shapes_are_written_in_brackets) {
    BOOST_TEST(attn::to_string(Shape{2, 3, 5}) == "[2, 3, 5]");
    BOOST_TEST(attn::to_string(Shape{7}) == "[7]");
    BOOST_TEST(attn::to_string(Shape{}) == "[]");
}

BOOST_AUTO_TEST_CASE(elements_are_counted_in_64_bits) {
    BOOST_TEST(attn::element_count({2, 3, 5}) == 30U);
    BOOST_TEST(attn::element_count({}) == 1U);
    BOOST_TEST(attn::element_count({4, 0, 5}) == 0U);
    BOOST_TEST(attn::element_count({65536, 65536, 3}) == std::size_t{3} << 32U);
}

BOOST_AUTO_TEST_CASE(impossible_shapes_are_refused) {
    BOOST_TEST(complaint([] { attn::element_count({-1, -1}); }) == "no array has the shape [-1, -1]");
    BOOST_TEST(complaint([] { attn::element_count({65536, 65536, 65536, 65536}); }) != "nothing was thrown");
    BOOST_TEST(complaint([] { Array("x", {-1, -1}, std::vector<float>{1}); }) != "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(an_array_has_the_given_name_shape_and_numbers) {
    const Array X = example();
    BOOST_TEST(X.name == "X");
    BOOST_TEST(X.shape == (Shape{2, 3}), per_element());
    BOOST_TEST(X.as<float>() == (std::vector<float>{1, -2, 3, 4, 5, 6.5F}), per_element());
    BOOST_TEST(X.count() == 6U);
    BOOST_TEST(X.bytes() == 24U);
    BOOST_TEST(X.data() == X.as<float>().data());
    BOOST_TEST(Array("x", {2}, std::vector<double>{1, 2}).bytes() == 16U);
    BOOST_TEST(Array("mask", {2}, std::vector<std::uint8_t>{1, 0}).bytes() == 2U);
}

BOOST_AUTO_TEST_CASE(arrays_of_one_number_and_of_none_are_possible) {
    BOOST_TEST(Array("x", {}, std::vector<float>{3}).count() == 1U);
    const Array none("x", {2, 0}, std::vector<float>{});
    BOOST_TEST(none.count() == 0U);
    BOOST_TEST(none.bytes() == 0U);
    BOOST_TEST((none.view<float, 2>().size(0) == 2));
}

BOOST_AUTO_TEST_CASE(a_shape_that_does_not_hold_the_values_is_refused) {
    const auto make = [](const Shape& shape, std::size_t values) {
        return complaint([&] { Array("W_Q", shape, std::vector<float>(values)); });
    };
    BOOST_TEST(make({2, 3}, 6) == "nothing was thrown");
    BOOST_TEST(make({2, 3}, 5) == "Array W_Q: shape [2, 3] does not hold 5 values");
    BOOST_TEST(make({2, 3}, 7) == "Array W_Q: shape [2, 3] does not hold 7 values");
    BOOST_TEST(make({}, 0) == "Array W_Q: shape [] does not hold 0 values");
    BOOST_TEST(make({2, 0}, 1) == "Array W_Q: shape [2, 0] does not hold 1 values");
}

BOOST_AUTO_TEST_CASE(zeros_are_zeros_of_the_type_asked_for) {
    const Array X = Array::zeros<double>("X", {2, 3});
    BOOST_TEST(X.name == "X");
    BOOST_TEST(X.shape == (Shape{2, 3}), per_element());
    BOOST_TEST(X.as<double>() == std::vector<double>(6, 0.0), per_element());
    BOOST_TEST(Array::zeros<std::uint8_t>("mask", {3}).as<std::uint8_t>() == std::vector<std::uint8_t>(3, 0),
               per_element());
}

BOOST_AUTO_TEST_CASE(a_cast_keeps_name_shape_and_numbers) {
    const Array X = example().cast<double>();
    BOOST_TEST(X.name == "X");
    BOOST_TEST(X.shape == (Shape{2, 3}), per_element());
    BOOST_TEST(X.as<double>() == (std::vector<double>{1, -2, 3, 4, 5, 6.5}), per_element());
    BOOST_TEST((X.cast<float>().values == example().values));
}

BOOST_AUTO_TEST_CASE(a_cast_to_float_rounds_to_nearest) {
    const Array X = Array("X", {2}, std::vector<double>{0.1, 1 + 0x1p-30}).cast<float>();
    BOOST_TEST(X.as<float>() == (std::vector<float>{0.1F, 1.0F}), per_element());
}

BOOST_AUTO_TEST_CASE(numbers_are_not_reinterpreted_as_another_type) {
    Array X = example();
    BOOST_CHECK_THROW(X.as<double>(), std::bad_variant_access);
    BOOST_CHECK_THROW((X.view<double, 2>()), std::bad_variant_access);
}

BOOST_AUTO_TEST_CASE(a_view_shows_the_numbers_and_writes_through) {
    Array X = example();
    const attn::TensorView<float, 2> view = X.view<float, 2>();
    BOOST_TEST(view.size(0) == 2);
    BOOST_TEST(view.size(1) == 3);
    BOOST_TEST(view(0, 1) == -2);
    BOOST_TEST(view(1, 0) == 4);
    view(1, 2) = -9;
    BOOST_TEST(X.as<float>().at(5) == -9);
}

BOOST_AUTO_TEST_CASE(a_const_array_gives_a_view_to_read) {
    const Array X = example();
    BOOST_TEST((X.view<float, 2>()(1, 2)) == 6.5F);
    BOOST_TEST((std::is_same_v<decltype(X.view<float, 2>()), attn::TensorView<const float, 2>>));
}

BOOST_AUTO_TEST_CASE(a_view_of_another_rank_is_refused) {
    Array X = example();
    BOOST_TEST(complaint([&] { X.view<float, 3>(); }) == "Array X of shape [2, 3] does not have 3 axes");
    BOOST_TEST(complaint([&] { std::as_const(X).view<float, 1>(); }) ==
               "Array X of shape [2, 3] does not have 1 axes");
    const Array number("eps", {}, std::vector<float>{1});
    BOOST_TEST(complaint([&] { number.view<float, 1>(); }) == "Array eps of shape [] does not have 1 axes");
}

BOOST_AUTO_TEST_CASE(a_copy_has_its_own_numbers) {
    const Array X = example();
    Array Y = X;
    Y.view<float, 2>()(0, 0) = 100;
    BOOST_TEST(X.as<float>().front() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
