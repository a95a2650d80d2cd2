// Properties that follow from the formulas for any numbers.

#include <algorithm>
#include <cmath>
#include <cstddef>
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

BOOST_AUTO_TEST_SUITE(transformer_block_properties)

namespace {

constexpr int kB = 2, kN = 4, kD = 6, kF = 5, kH = 3;
const std::vector<int> kOrder = {2, 0, 3, 1};
const std::vector<Activation> kActivations = {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh};
const std::vector<Norm> kNorms = {Norm::pre, Norm::post};

/// One block, a stack of two, and their inputs.
template <class T>
struct Inputs {
    const Array X = normal<T>("X", {kB, kN, kD});
    const Array gamma = normal<T>("gamma", {kD}), beta = normal<T>("beta", {kD});
    const BlockParameters one = normal_parameters<T>(kD, kF),
                          other = normal_parameters<T>(kD, kF, " of another");
    const BlockParameters both = stacked<T>({one, other});
};

const std::vector<std::string> kWhatSublayersGive = {"W_O", "b_O", "W_2", "b_2"};

/// X with every x replaced by f(x, k), where k is its place.
template <class T, class F>
Array each(Array X, const F& f) {
    for (std::size_t k = 0; k < X.count(); ++k) X.as<T>()[k] = static_cast<T>(f(X.as<T>()[k], k));
    return X;
}

template <class T>
Array constant(const char* name, double value) {
    return numbers<T>(name, {kD}, std::vector<double>(kD, value));
}

/// Both layer norms of a block.
template <class T>
Array normed_twice(const Array& X, const BlockParameters& p) {
    const auto& a = p.by_name;
    return layer_norm<T>(layer_norm<T>(X, a.at("gamma_1"), a.at("beta_1"), 1e-5), a.at("gamma_2"),
                         a.at("beta_2"), 1e-5);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(gamma_is_the_deviation_and_beta_the_mean, T, Reals) {
    const Inputs<T> in;
    const double eps = 0.25, gamma = -1.5, beta = 0.75;
    const Array Y = layer_norm<T>(in.X, constant<T>("gamma", gamma), constant<T>("beta", beta), eps);
    const auto moments = [](const T* row) {
        double mean = 0, square = 0;
        for (int d = 0; d < kD; ++d) mean += static_cast<double>(row[d]) / kD;
        for (int d = 0; d < kD; ++d) square += std::pow(static_cast<double>(row[d]) - mean, 2) / kD;
        return std::pair(mean, square);
    };
    for (std::size_t row = 0; row < Y.count(); row += kD) {
        const double var = moments(&in.X.template as<T>()[row]).second;
        const auto [mean, square] = moments(&Y.as<T>()[row]);
        BOOST_TEST(std::abs(mean - beta) <= kRounding<T>);
        BOOST_TEST(std::abs(square - gamma * gamma * var / (var + eps)) <= 4 * kRounding<T>);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_shift_of_a_row_changes_no_layer_norm, T, Reals) {
    const Inputs<T> in;
    const Array shifted = each<T>(in.X, [](T x, std::size_t k) {
        const std::size_t row = k / kD;
        return x + static_cast<T>(row) - 3;
    });
    BOOST_TEST(is_near(layer_norm<T>(shifted, in.gamma, in.beta, 1e-5),
                       layer_norm<T>(in.X, in.gamma, in.beta, 1e-5), 10 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(doubling_a_row_equals_dividing_eps_by_four, T, Reals) {
    const Inputs<T> in;
    const Array larger = each<T>(in.X, [](T x, std::size_t) { return 2 * x; });
    BOOST_TEST(is_near(layer_norm<T>(larger, in.gamma, in.beta, 1.0),
                       layer_norm<T>(in.X, in.gamma, in.beta, 0.25), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tokens_are_independent_in_the_feed_forward, T, Reals) {
    const auto& a = normal_parameters<T>(kD, kF).by_name;
    const Array X = normal<T>("X", {kN, kD});
    const Array changed = each<T>(X, [](T x, std::size_t k) { return k < kD ? x : 3 - x; });
    for (const Activation activation : kActivations) {
        const auto feed = [&](const Array& x) {
            Array y =
                on_arrays::feed_forward<T>(x, a.at("W_1"), a.at("b_1"), a.at("W_2"), a.at("b_2"), activation);
            y.shape = {1, kN, kD};
            return y;
        };
        const Array Y = feed(X), Y_changed = feed(changed);
        BOOST_TEST(is_near(rows<T>(Y_changed, {0}), rows<T>(Y, {0}), 0));
        BOOST_TEST(!is_near(rows<T>(Y_changed, {1}), rows<T>(Y, {1}), 1e-3));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_activation_minus_its_mirror_image_is_linear, T, Reals) {
    const auto of = [](const Array& X, Activation activation) {
        return on_arrays::feed_forward<T>(X, numbers<T>("W_1", {1, 1}, {1}), numbers<T>("b_1", {1}, {0}),
                                          numbers<T>("W_2", {1, 1}, {1}), numbers<T>("b_2", {1}, {0}),
                                          activation);
    };
    const Array X = normal<T>("X", {40, 1}), mirrored = each<T>(X, [](T x, std::size_t) { return -x; });
    for (const Activation activation : kActivations) {
        const Array minus = each<T>(of(mirrored, activation), [](T y, std::size_t) { return -y; });
        BOOST_TEST(is_near(added<T>(of(X, activation), minus), X, kRounding<T>));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_pre_norm_block_that_adds_nothing_is_the_identity, T, Reals) {
    const Inputs<T> in;
    const auto silent = in.one.template with_zeros<T>(kWhatSublayersGive);
    BOOST_TEST(is_near(block<T>(in.X, silent, {kH, Norm::pre}), in.X, 0));
    const Array Y = encode<T>(in.X, in.both.template with_zeros<T>(kWhatSublayersGive), in.gamma, in.beta,
                              {kH, Norm::pre});
    BOOST_TEST(is_near(Y, layer_norm<T>(in.X, in.gamma, in.beta, 1e-5), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_post_norm_block_that_adds_nothing_normalises_twice, T, Reals) {
    const Inputs<T> in;
    const auto silent = in.one.template with_zeros<T>(kWhatSublayersGive);
    BOOST_TEST(is_near(block<T>(in.X, silent, {kH, Norm::post}), normed_twice<T>(in.X, in.one), 0));
    const Array Y = encode<T>(in.X, in.both.template with_zeros<T>(kWhatSublayersGive), in.gamma, in.beta,
                              {kH, Norm::post});
    BOOST_TEST(is_near(Y, normed_twice<T>(normed_twice<T>(in.X, in.one), in.other), 0));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(permuted_tokens_give_permuted_outputs, T, Reals) {
    const Inputs<T> in;
    for (const Norm norm : kNorms) {
        for (const Activation activation : kActivations) {
            const BlockOptions options{kH, norm, activation, 1e-5};
            BOOST_TEST(is_near(block<T>(rows<T>(in.X, kOrder), in.one, options),
                               rows<T>(block<T>(in.X, in.one, options), kOrder), 40 * kRounding<T>));
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(under_a_causal_mask_later_tokens_change_nothing, T, Reals) {
    const Inputs<T> in;
    const Array mask = lower_triangles(kB, kN);
    const Array changed = each<T>(in.X, [](T x, std::size_t k) { return k / kD % kN == kN - 1 ? 2 - x : x; });
    for (const Norm norm : kNorms) {
        const BlockOptions options{kH, norm};
        const auto encoded = [&](const Array& X) {
            return encode<T>(X, in.both, in.gamma, in.beta, options, mask);
        };
        BOOST_TEST(is_near(rows<T>(encoded(changed), {0, 1, 2}), rows<T>(encoded(in.X), {0, 1, 2}), 0));
        BOOST_TEST(!is_near(rows<T>(encoded(changed), {3}), rows<T>(encoded(in.X), {3}), 1e-3));
        // Without the mask, it changes earlier outputs.
        BOOST_TEST(!is_near(rows<T>(block<T>(changed, in.one, options), {0}),
                            rows<T>(block<T>(in.X, in.one, options), {0}), 1e-3));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(batches_are_independent, T, Reals) {
    const Inputs<T> in;
    const Array first =
        Array("X", {1, kN, kD},
              std::vector<T>(in.X.template as<T>().begin(), in.X.template as<T>().begin() + kN * kD));
    for (const Norm norm : kNorms) {
        Array Y = block<T>(in.X, in.one, {kH, norm});
        Y.shape = {1, kB * kN, kD};
        BOOST_TEST(is_near(block<T>(first, in.one, {kH, norm}), rows<T>(Y, {0, 1, 2, 3}), 0));
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_pre_norm_block_passes_a_shift_on, T, Reals) {
    const Inputs<T> in;
    const auto shift = [](const Array& X) {
        return each<T>(X, [](T x, std::size_t k) {
            const std::size_t row = k / kD;
            return x + static_cast<T>(row) / 2;
        });
    };
    BOOST_TEST(is_near(block<T>(shift(in.X), in.one, {kH, Norm::pre}),
                       shift(block<T>(in.X, in.one, {kH, Norm::pre})), 40 * kRounding<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_final_gamma_and_beta_are_unused_with_post_norm, T, Reals) {
    const Inputs<T> in;
    const auto encoded = [&](const Array& gamma, Norm norm) {
        return encode<T>(in.X, in.both, gamma, in.beta, {kH, norm});
    };
    BOOST_TEST(is_near(encoded(in.gamma, Norm::post), encoded(in.beta, Norm::post), 0));
    BOOST_TEST(!is_near(encoded(in.gamma, Norm::pre), encoded(in.beta, Norm::pre), 1e-3));
}

BOOST_AUTO_TEST_SUITE_END()
