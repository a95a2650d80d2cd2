// Answers computed by hand, and edge cases.

#include <cmath>
#include <stdexcept>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "assignments/array.h"
#include "contracts/transformer_block_reference.h"
#include "reference/testing/near.h"
#include "reference/testing/transformer_block_inputs.h"

using attn::Activation;
using attn::Array;
using attn::Norm;
using namespace attn::testing;

BOOST_AUTO_TEST_SUITE(transformer_block)

namespace {

/// The worked example of the handout: D = 3, F = 2, one head. W_Q = 0, so all weights are equal; W_V
/// and W_O are the identity.
template <class T>
struct Example {
    const Array X = numbers<T>("X", {1, 2, 3}, {1, 2, 6, 3, 0, 0});
    BlockParameters parameters;

    Example() {
        for (const auto& [name, shape] : block_shapes(3, 2))
            parameters.by_name[name] = Array::zeros<T>(name, shape);
        const std::vector<double> one = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        for (const char* name : {"W_K", "W_V", "W_O"}) set(name, one);
        set("gamma_1", {1, 2, 1});
        set("beta_1", {0, 0, 1});
        set("gamma_2", {1, 1, 1});
        set("W_1", {1, 0, 0, 1, 1, 1});
        set("b_1", {0, 0.5});
        set("W_2", {1, 0, -1, 0, 2, 0});
        set("b_2", {0, 0, 1});
    }
    void set(const char* name, const std::vector<double>& values) {
        Array& array = parameters.by_name[name];
        array = numbers<T>(name, array.shape, values);
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(layer_norm_by_hand, T, Reals) {
    // mu = 2, var = 1, sqrt(1 + 3) = 2; mu = 6, var = 13, sqrt(13 + 3) = 4.
    const double root = std::sqrt(13.0);
    const Array X = numbers<T>("X", {2, 2}, {1, 3, 6 + root, 6 - root});
    const Array Y = layer_norm<T>(X, numbers<T>("gamma", {2}, {2, 4}), numbers<T>("beta", {2}, {10, 20}), 3);
    BOOST_TEST(is_near(Y, {9, 22, 10 + root / 2, 20 - root}, 10 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_constant_row_becomes_beta, T, Reals) {
    const Array X = numbers<T>("X", {2, 4}, {7, 7, 7, 7, -0.5, -0.5, -0.5, -0.5});
    const Array beta = numbers<T>("beta", {4}, {1, -2, 3, 0.25});
    const Array Y = layer_norm<T>(X, numbers<T>("gamma", {4}, {5, 6, 7, 8}), beta, 1e-5);
    BOOST_TEST(is_near(Y, {1, -2, 3, 0.25, 1, -2, 3, 0.25}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_feature_becomes_beta, T, Reals) {
    const Array Y = layer_norm<T>(numbers<T>("X", {3, 1}, {7, -8, 0.3}), numbers<T>("gamma", {1}, {5}),
                                  numbers<T>("beta", {1}, {0.5}), 1e-5);
    BOOST_TEST(is_near(Y, {0.5, 0.5, 0.5}, 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(eps_stands_under_the_root, T, Reals) {
    // var = 1e-6, eps = 1e-5: 1e-3 / sqrt(1.1e-5) = 1 / sqrt(11).
    const Array X = numbers<T>("X", {1, 2}, {1e-3, -1e-3});
    const Array Y = layer_norm<T>(X, numbers<T>("gamma", {2}, {1, 1}), numbers<T>("beta", {2}, {0, 0}), 1e-5);
    BOOST_TEST(is_near(Y, {1 / std::sqrt(11.0), -1 / std::sqrt(11.0)}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_row_far_from_0_keeps_its_digits, T, Reals) {
    // Deviations of 1 around 3000: exact in float, while the squares are not.
    const Array X = numbers<T>("X", {1, 4}, {3001, 2999, 3001, 2999});
    const Array Y =
        layer_norm<T>(X, numbers<T>("gamma", {4}, {1, 1, 1, 1}), numbers<T>("beta", {4}, {0, 0, 0, 0}), 1e-5);
    const double y = 1 / std::sqrt(1 + 1e-5);
    BOOST_TEST(is_near(Y, {y, -y, y, -y}, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(feed_forward_by_hand, T, Reals) {
    // x = 2: hidden (2 + 0.5, -2 + 0.5) = (2.5, -1.5); x = -1: (-0.5, 1.5).
    const auto feed = [](Activation activation) {
        return on_arrays::feed_forward<T>(
            numbers<T>("X", {2, 1}, {2, -1}), numbers<T>("W_1", {1, 2}, {1, -1}),
            numbers<T>("b_1", {2}, {0.5, 0.5}), numbers<T>("W_2", {2, 1}, {2, 3}),
            numbers<T>("b_2", {1}, {-1}), activation);
    };
    BOOST_TEST(is_near(feed(Activation::relu), {2 * 2.5 - 1, 3 * 1.5 - 1}, kRounding<T>));
    const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
    BOOST_TEST(
        is_near(feed(Activation::gelu_erf),
                {2 * 2.5 * phi(2.5) - 3 * 1.5 * phi(-1.5) - 1, -2 * 0.5 * phi(-0.5) + 3 * 1.5 * phi(1.5) - 1},
                10 * kRounding<T>));
    // 1 / (1 + e^(-2 z)) is (1 + tanh z) / 2.
    const auto sigmoid = [](double x) {
        return 1 / (1 + std::exp(-2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
    };
    BOOST_TEST(is_near(feed(Activation::gelu_tanh),
                       {2 * 2.5 * sigmoid(2.5) - 3 * 1.5 * sigmoid(-1.5) - 1,
                        -2 * 0.5 * sigmoid(-0.5) + 3 * 1.5 * sigmoid(1.5) - 1},
                       10 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_two_gelus_differ_in_the_fourth_digit, T, Reals) {
    const auto of_two = [](Activation activation) {
        return on_arrays::feed_forward<T>(numbers<T>("X", {1, 1}, {2}), numbers<T>("W_1", {1, 1}, {1}),
                                          numbers<T>("b_1", {1}, {0}), numbers<T>("W_2", {1, 1}, {1}),
                                          numbers<T>("b_2", {1}, {0}), activation);
    };
    BOOST_TEST(is_near(of_two(Activation::gelu_erf), {1.9544997}, 1e-6));
    BOOST_TEST(is_near(of_two(Activation::gelu_tanh), {1.9545977}, 1e-6));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(no_activation_overflows, T, Reals) {
    for (const Activation activation : {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh}) {
        const Array Y = on_arrays::feed_forward<T>(
            numbers<T>("X", {2, 1}, {1e4, -1e4}), numbers<T>("W_1", {1, 1}, {1}), numbers<T>("b_1", {1}, {0}),
            numbers<T>("W_2", {1, 1}, {1}), numbers<T>("b_2", {1}, {0}), activation);
        BOOST_TEST(is_near(Y, {1e4, 0}, 0));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_worked_example_of_the_handout, T, Reals) {
    const Example<T> example;
    const Array post = block<T>(example.X, example.parameters, {1, Norm::post});
    BOOST_TEST(is_near(post, {-1.3958241, 0.5014458, 0.8943783, 1.3119218, -1.1132828, -0.1986391}, 2e-6));
    const Array pre = block<T>(example.X, example.parameters, {1, Norm::pre});
    BOOST_TEST(is_near(pre, {2.0197418, 3.1027498, 7.5652655, 4.5210940, -1.1700146, 1.0639133}, 5e-6));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_block_is_its_two_layers_with_residuals, T, Reals) {
    // A single token attends only to itself: attention is x W_V W_O with two biases.
    const int D = 6, F = 5;
    const BlockParameters p = normal_parameters<T>(D, F);
    const auto& a = p.by_name;
    const Array X = normal<T>("X", {3, 1, D});
    const auto plus = [](const Array& Y, const Array& bias) {
        Array result = Y;
        for (std::size_t k = 0; k < result.count(); ++k) result.as<T>()[k] += bias.as<T>()[k % bias.count()];
        return result;
    };
    const auto attended = [&](const Array& x) {
        return plus(product<T>(plus(product<T>(x, a.at("W_V")), a.at("b_V")), a.at("W_O")), a.at("b_O"));
    };
    const auto fed = [&](Array x) {
        const attn::Shape shape = x.shape;
        x.shape = {3, D};
        Array y = on_arrays::feed_forward<T>(x, a.at("W_1"), a.at("b_1"), a.at("W_2"), a.at("b_2"),
                                             Activation::gelu_erf);
        y.shape = shape;
        return y;
    };
    const auto norm = [&](const Array& x, const std::string& which) {
        return layer_norm<T>(x, a.at("gamma" + which), a.at("beta" + which), 0.5);
    };
    const BlockOptions pre{3, Norm::pre, Activation::gelu_erf, 0.5},
        post{3, Norm::post, Activation::gelu_erf, 0.5};
    const Array Z = added<T>(X, attended(norm(X, "_1")));
    BOOST_TEST(is_near(block<T>(X, p, pre), added<T>(Z, fed(norm(Z, "_2"))), 20 * kRounding<T>));
    const Array Z_post = norm(added<T>(X, attended(X)), "_1");
    BOOST_TEST(is_near(block<T>(X, p, post), norm(added<T>(Z_post, fed(Z_post)), "_2"), 20 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_encoder_is_its_blocks_one_after_the_other, T, Reals) {
    const int D = 4;
    const BlockParameters first = normal_parameters<T>(D, 7, " of block 0"),
                          second = normal_parameters<T>(D, 7, " of block 1");
    const Array X = normal<T>("X", {2, 3, D}), gamma = normal<T>("gamma", {D}), beta = normal<T>("beta", {D});
    const Array mask = lower_triangles(2, 3);
    for (const Norm norm : {Norm::pre, Norm::post}) {
        const BlockOptions options{2, norm, Activation::gelu_tanh, 1e-3};
        Array expected = block<T>(block<T>(X, first, options, mask), second, options, mask);
        if (norm == Norm::pre) expected = layer_norm<T>(expected, gamma, beta, 1e-3);
        BOOST_TEST(
            is_near(encode<T>(X, stacked<T>({first, second}), gamma, beta, options, mask), expected, 0));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_fully_masked_token_gets_the_biases, T, Reals) {
    // Attention gives b_O; in a block whose feed-forward adds nothing, Y = X + b_O.
    const BlockParameters p = normal_parameters<T>(4, 3).template with_zeros<T>({"W_2", "b_2"});
    const Array X = normal<T>("X", {1, 2, 4});
    const Array fully_masked = Array::zeros<std::uint8_t>("mask", {1, 2, 2});
    Array expected = X;
    for (std::size_t k = 0; k < X.count(); ++k) expected.as<T>()[k] += p.by_name.at("b_O").as<T>()[k % 4];
    BOOST_TEST(is_near(block<T>(X, p, {2, Norm::pre}, fully_masked), expected, kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(heads_that_do_not_divide_D_are_refused, T, Reals) {
    const Array X = normal<T>("X", {1, 2, 7}), gamma = normal<T>("gamma", {7});
    const BlockParameters p = normal_parameters<T>(7, 3);
    for (const Norm norm : {Norm::pre, Norm::post}) {
        BOOST_CHECK_THROW(block<T>(X, p, {2, norm}), std::invalid_argument);
        BOOST_CHECK_THROW(encode<T>(X, stacked<T>({p}), gamma, gamma, {2, norm}), std::invalid_argument);
    }
}

BOOST_AUTO_TEST_SUITE_END()
