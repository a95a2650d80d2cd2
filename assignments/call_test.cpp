#include "assignments/call.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"

using attn::Argument;
using attn::Array;
using attn::CallError;
using attn::ElementType;
using attn::Parameter;
using attn::TensorView;
using boost::test_tools::per_element;

BOOST_AUTO_TEST_SUITE(call)

namespace {

enum class Norm { pre, post };

/// Y = factor X
void scale(TensorView<float, 2> Y, TensorView<const float, 2> X, float factor) {
    for (int i = 0; i < Y.size(0); ++i)
        for (int j = 0; j < Y.size(1); ++j) Y(i, j) = factor * X(i, j);
}

void write_options(TensorView<double, 1> Y, int H, float eps, double scale_by, Norm norm, bool causal) {
    Y(0) = H;
    Y(1) = static_cast<double>(eps);
    Y(2) = scale_by;
    Y(3) = norm == Norm::pre ? 10 : 20;
    Y(4) = causal ? 1 : 0;
}

void sum_up(TensorView<double, 1> Y, TensorView<float, 3> A, TensorView<const std::uint8_t, 2> mask) {
    Y(0) = 0;
    for (int i = 0; i < mask.size(0); ++i)
        for (int j = 0; j < mask.size(1); ++j) Y(0) += mask(i, j);
    if (A) A(0, 0, 0) = 1;
}

void write_shape(TensorView<double, 1> Y, TensorView<const double, 4> S) {
    for (int axis = 0; axis < 4; ++axis) Y(axis) = S.size(axis);
}

/// The weights of a layer as a struct, as in contracts.
struct Weights {
    TensorView<const float, 2> W;
    TensorView<const double, 1> b;
    int H;
};
struct Outputs {
    TensorView<double, 1> Y;
    TensorView<float, 2> A;
};

/// Y = (W(0, 0), b(0), H, factor), and A if it is wanted
void write_members(const Outputs& out, const Weights& weights, float factor) {
    out.Y(0) = static_cast<double>(weights.W(0, 0));
    out.Y(1) = weights.b ? weights.b(0) : -1;
    out.Y(2) = weights.H;
    out.Y(3) = static_cast<double>(factor);
    if (out.A) out.A(0, 0) = 8;
}

void throws(int) {
    throw std::runtime_error("of its own");
}
void nothing() {}

template <class T>
Argument tensor(Array& array) {
    Argument argument;
    argument.type = attn::element_type_of<T>();
    for (const int size : array.shape) argument.shape[argument.rank++] = size;
    argument.data = array.data();
    return argument;
}

Argument option(double number) {
    Argument argument;
    argument.number = number;
    return argument;
}

/// The text of the CallError that f(arguments ..) throws.
template <class Function>
std::string complaint(Function* f, const std::vector<Argument>& arguments) {
    try {
        attn::call(f, arguments.data(), static_cast<int>(arguments.size()));
    } catch (const CallError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

Array inputs() {
    return Array("X", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
}
Array untouched() {
    return Array("Y", {2, 3}, std::vector<float>(6, -7.0F));
}

void check_parameter(const Parameter& found, bool is_tensor, bool is_output, ElementType type, int rank) {
    BOOST_TEST(found.tensor == is_tensor);
    BOOST_TEST(found.output == is_output);
    BOOST_TEST(attn::name_of(found.type) == attn::name_of(type));
    BOOST_TEST(found.rank == rank);
}

}  // namespace

BOOST_AUTO_TEST_CASE(parameters_follow_from_the_type) {
    const std::vector<Parameter> summed = attn::parameters_of(sum_up);
    BOOST_REQUIRE(summed.size() == 3U);
    check_parameter(summed[0], true, true, ElementType::f64, 1);
    check_parameter(summed[1], true, true, ElementType::f32, 3);
    check_parameter(summed[2], true, false, ElementType::u8, 2);
    const std::vector<Parameter> shaped = attn::parameters_of(write_shape);
    BOOST_REQUIRE(shaped.size() == 2U);
    check_parameter(shaped[0], true, true, ElementType::f64, 1);
    check_parameter(shaped[1], true, false, ElementType::f64, 4);
    const std::vector<Parameter> options = attn::parameters_of(write_options);
    BOOST_REQUIRE(options.size() == 6U);
    check_parameter(options[1], false, false, ElementType::i32, 0);
    check_parameter(options[2], false, false, ElementType::f32, 0);
    check_parameter(options[3], false, false, ElementType::f64, 0);
    check_parameter(options[4], false, false, ElementType::i32, 0);
    check_parameter(options[5], false, false, ElementType::i32, 0);
    BOOST_TEST(attn::parameters_of(nothing).empty());
}

BOOST_AUTO_TEST_CASE(a_struct_counts_as_its_members) {
    const std::vector<Parameter> members = attn::parameters_of(write_members);
    BOOST_REQUIRE(members.size() == 6U);
    check_parameter(members[0], true, true, ElementType::f64, 1);
    check_parameter(members[1], true, true, ElementType::f32, 2);
    check_parameter(members[2], true, false, ElementType::f32, 2);
    check_parameter(members[3], true, false, ElementType::f64, 1);
    check_parameter(members[4], false, false, ElementType::i32, 0);
    check_parameter(members[5], false, false, ElementType::f32, 0);
}

BOOST_AUTO_TEST_CASE(members_of_structs_arrive_in_order) {
    Array Y = Array::zeros<double>("Y", {4}), A = Array::zeros<float>("A", {1, 1});
    Array W("W", {1, 2}, std::vector<float>{5, 6}), b("b", {1}, std::vector<double>{7});
    BOOST_TEST(complaint(write_members, {tensor<double>(Y), tensor<float>(A), tensor<float>(W),
                                         tensor<double>(b), option(3), option(0.5)}) == "nothing was thrown");
    BOOST_TEST(Y.as<double>() == (std::vector<double>{5, 7, 3, 0.5}), per_element());
    BOOST_TEST(A.as<float>().at(0) == 8);
    // Outputs that are not wanted and inputs that are absent are empty views.
    Argument no_A = tensor<float>(A), no_b = tensor<double>(b);
    no_A.data = no_b.data = nullptr;
    A.as<float>().at(0) = 0;
    BOOST_TEST(complaint(write_members, {tensor<double>(Y), no_A, tensor<float>(W), no_b, option(3),
                                         option(0.5)}) == "nothing was thrown");
    BOOST_TEST(Y.as<double>().at(1) == -1);
    BOOST_TEST(A.as<float>().at(0) == 0);
    BOOST_TEST(complaint(write_members, {tensor<double>(Y), tensor<float>(A)}) != "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(element_types_have_names) {
    BOOST_TEST(attn::name_of(ElementType::f32) == "float32");
    BOOST_TEST(attn::name_of(ElementType::f64) == "float64");
    BOOST_TEST(attn::name_of(ElementType::u8) == "uint8");
    BOOST_TEST(attn::name_of(ElementType::i32) == "int32");
}

BOOST_AUTO_TEST_CASE(arguments_arrive_in_order) {
    Array X = inputs(), Y = untouched();
    BOOST_TEST(complaint(scale, {tensor<float>(Y), tensor<float>(X), option(2)}) == "nothing was thrown");
    BOOST_TEST(Y.as<float>() == (std::vector<float>{2, 4, 6, 8, 10, 12}), per_element());
    BOOST_TEST((X.values == inputs().values));
}

BOOST_AUTO_TEST_CASE(a_tensor_arrives_with_its_shape) {
    Array S = Array::zeros<double>("S", {2, 3, 4, 5}), Y = Array::zeros<double>("Y", {4});
    BOOST_TEST(complaint(write_shape, {tensor<double>(Y), tensor<double>(S)}) == "nothing was thrown");
    BOOST_TEST(Y.as<double>() == (std::vector<double>{2, 3, 4, 5}), per_element());
}

BOOST_AUTO_TEST_CASE(options_of_every_type_arrive) {
    Array Y = Array::zeros<double>("Y", {5});
    const auto give = [&](double H, double eps, double scale_by, double norm, double causal) {
        return complaint(write_options, {tensor<double>(Y), option(H), option(eps), option(scale_by),
                                         option(norm), option(causal)});
    };
    BOOST_TEST(give(2147483647, 0.1, 0.1, 1, 1) == "nothing was thrown");
    BOOST_TEST(Y.as<double>() == (std::vector<double>{2147483647, static_cast<double>(0.1F), 0.1, 20, 1}),
               per_element());
    BOOST_TEST(give(-3, -0.5, 1e300, 0, 0) == "nothing was thrown");
    BOOST_TEST(Y.as<double>() == (std::vector<double>{-3, -0.5, 1e300, 10, 0}), per_element());
}

BOOST_AUTO_TEST_CASE(an_absent_tensor_arrives_as_an_empty_view) {
    Array Y = Array::zeros<double>("Y", {1}), A = Array::zeros<float>("A", {1, 1, 1});
    Array mask("mask", {2, 2}, std::vector<std::uint8_t>{1, 0, 1, 1});
    Argument absent = tensor<float>(A);
    absent.data = nullptr;
    BOOST_TEST(complaint(sum_up, {tensor<double>(Y), absent, tensor<std::uint8_t>(mask)}) ==
               "nothing was thrown");
    BOOST_TEST(Y.as<double>().front() == 3);
    BOOST_TEST(A.as<float>().front() == 0);
    BOOST_TEST(complaint(sum_up, {tensor<double>(Y), tensor<float>(A), tensor<std::uint8_t>(mask)}) ==
               "nothing was thrown");
    BOOST_TEST(A.as<float>().front() == 1);
}

BOOST_AUTO_TEST_CASE(a_wrong_number_of_arguments_is_refused) {
    Array X = inputs(), Y = untouched();
    const Argument y = tensor<float>(Y), x = tensor<float>(X);
    BOOST_TEST(complaint(scale, {y, x}) == "the function takes 3 arguments, 2 were given");
    BOOST_TEST(complaint(scale, {y, x, option(2), option(2)}) ==
               "the function takes 3 arguments, 4 were given");
    BOOST_TEST(complaint(scale, {}) == "the function takes 3 arguments, 0 were given");
    BOOST_TEST(complaint(nothing, {}) == "nothing was thrown");
    BOOST_TEST((Y.values == untouched().values));
}

BOOST_AUTO_TEST_CASE(a_tensor_of_another_type_or_rank_is_refused) {
    Array X = inputs(), Y = untouched(), X_double = inputs().cast<double>();
    Array X_3("X", {1, 2, 3}, inputs().as<float>()), mask("mask", {2, 3}, std::vector<std::uint8_t>(6, 1));
    const auto give = [&](const Argument& x) { return complaint(scale, {tensor<float>(Y), x, option(2)}); };
    const std::string wanted = "a tensor of 2 axes of float32 was expected, one of ";
    BOOST_TEST(give(tensor<double>(X_double)) == wanted + "2 axes of float64 given");
    BOOST_TEST(give(tensor<std::uint8_t>(mask)) == wanted + "2 axes of uint8 given");
    BOOST_TEST(give(tensor<float>(X_3)) == wanted + "3 axes of float32 given");
    BOOST_TEST(give(option(1)) == wanted + "0 axes of float32 given");
    BOOST_TEST((Y.values == untouched().values));
}

BOOST_AUTO_TEST_CASE(a_tensor_for_an_option_is_refused) {
    Array X = inputs(), Y = untouched();
    BOOST_TEST(complaint(scale, {tensor<float>(Y), tensor<float>(X), tensor<float>(X)}) ==
               "an option was expected and a tensor given");
    BOOST_TEST((Y.values == untouched().values));
}

BOOST_AUTO_TEST_CASE(what_the_function_throws_passes_through) {
    const Argument one = option(1);
    BOOST_CHECK_EXCEPTION(
        attn::call(throws, &one, 1), std::runtime_error,
        [](const std::runtime_error& error) { return error.what() == std::string("of its own"); });
}

BOOST_AUTO_TEST_SUITE_END()
