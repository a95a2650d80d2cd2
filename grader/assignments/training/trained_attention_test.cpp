// The picture of assignment 14: which word looks at which after a training.

#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/training/helpers.h"

namespace attn::ask::training {
namespace {

BOOST_AUTO_TEST_SUITE(trained_attention)

constexpr int kV = 14, kN = 8;

const Function& function_train() {
    return *module_of("train")->find_function("train");
}

Arrays inputs_of(Sizes sizes) {
    sizes.insert({{"B", 3}, {"N", kN}, {"V", kV}});
    Random random(7, "sentences");
    return make_inputs(function_train(), *module_of("train")->find_recipe("sentences"), sizes, {}, random);
}

std::optional<Drawing> drawn(const Arrays& inputs, const Array& theta) {
    return drawings().at(0).make(inputs, {named("theta_new", theta)});
}

BOOST_AUTO_TEST_CASE(a_head_that_looks_for_another_word_is_seen_to_find_it) {
    // The layer norm makes (1, -1, 1, -1) of every word but "therefore", which becomes the opposite. In head 0 a
    // query is 10 times its word, a key the opposite of its word: each word looks at those that are unlike it.
    // Head 1 has no weights, so each word looks at all before it alike.
    const Arrays inputs = inputs_of({{"S", 1}, {"D", 4}, {"F", 1}, {"H", 2}, {"L", 1}});
    Array theta = map(by_name(inputs, "theta"), [](double) { return 0; });
    auto& w = theta.as<float>();
    constexpr std::size_t kTherefore = 4, kBlock = (kV + kN) * 4;
    for (std::size_t k = 0; k < kV * 4; ++k) w[k] = (k / 4 == kTherefore) == (k % 2 == 0) ? -1.0F : 1.0F;
    for (std::size_t d = 0; d < 4; ++d) w[kBlock + d] = 1;  // gamma_1
    w[kBlock + 8] = w[kBlock + 13] = 10;                    // W_Q
    w[kBlock + 28] = w[kBlock + 33] = -1;                   // W_K
    const Drawing picture = drawn(inputs, theta).value();
    BOOST_TEST((picture.words == std::vector<std::string>{"START", "I", "think", "therefore", "I", "am"}));
    BOOST_TEST((picture.matrices.shape == Shape{2, 6, 6}));
    const auto A = picture.matrices.view<double, 3>();
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            const double all_before = i <= 3 ? 1.0 / std::max(1, std::min(i + 1, 3)) : 0;
            const double expected = i > 3 ? (j == 3 ? 1 : 0) : j <= std::min(i, 2) ? all_before : 0;
            BOOST_TEST(std::abs(A(0, i, j) - expected) < 1e-3, i << ", " << j);
            BOOST_TEST(std::abs(A(1, i, j) - (j <= i ? 1.0 / (i + 1) : 0)) < 1e-3, i << ", " << j);
        }
    BOOST_TEST(
        picture.sentences.at(1).ends_with("Here head 0 looks most at \u201ctherefore\u201d (1.00), head 1 "
                                          "looks most at \u201cSTART\u201d (0.20)."));
}

BOOST_AUTO_TEST_CASE(the_probabilities_are_those_of_the_trained_model) {
    const Arrays inputs = inputs_of({{"S", 80}, {"D", 16}, {"F", 32}, {"H", 2}, {"L", 1}});
    const Arrays outputs = evaluate(function_train(), inputs, Precision::f32);
    const Drawing picture = drawings().at(0).make(inputs, outputs).value();
    const auto A = picture.matrices.view<double, 3>();
    for (int h = 0; h < 2; ++h)
        for (int i = 0; i < 6; ++i) {
            double sum = 0;
            for (int j = 0; j < 6; ++j) {
                sum += A(h, i, j);
                if (j > i) BOOST_TEST(A(h, i, j) == 0);
            }
            BOOST_TEST(std::abs(sum - 1) < 0.005);
        }
    constexpr int kAm = 5;
    const double written = double{by_name(outputs, "P").view<float, 3>()(0, 4, kAm)};
    BOOST_TEST(written > 0.98);
    BOOST_TEST_CONTEXT(picture.sentences.at(2)) {
        BOOST_TEST(picture.sentences.at(2).find(fmt::format("the probability {:.3f}. If", written)) !=
                   std::string::npos);
        BOOST_TEST(picture.sentences.at(2).ends_with("the model needs the words before it."));
    }
    // Without W_V, b_V, W_O and b_O a word learns nothing from the others, so what it sees does not matter.
    Array alone = by_name(outputs, "theta_new");
    constexpr std::size_t kFirst = (kV + kN) * 16 + 2 * 16 + 2 * (16 * 16 + 16), kCount = 2 * (16 * 16 + 16);
    for (std::size_t k = kFirst; k < kFirst + kCount; ++k) alone.as<float>()[k] = 0;
    const std::string said = drawn(inputs, alone).value().sentences.at(2);
    const auto number_after = [&said](const std::string& words) {
        return said.substr(said.find(words) + words.size(), 5);
    };
    BOOST_TEST(number_after("the probability ") == number_after("it would be "));
}

BOOST_AUTO_TEST_CASE(weights_that_are_no_numbers_are_not_drawn) {
    const Arrays inputs = inputs_of({{"S", 1}, {"D", 2}, {"F", 1}, {"H", 1}, {"L", 1}});
    const Array theta = by_name(inputs, "theta");
    BOOST_TEST(drawn(inputs, theta).has_value());
    BOOST_TEST(!drawings().at(0).make(inputs, {by_name(inputs, "eta")}).has_value());
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float broken : {std::numeric_limits<float>::quiet_NaN(), kInfinity})
        for (const std::size_t at : {std::size_t{4}, std::size_t{(kV + kN) * 2 + 4}, theta.count() - 1}) {
            Array other = theta;
            other.as<float>()[at] = broken;
            BOOST_TEST(!drawn(inputs, other).has_value(), at);
        }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::ask::training
