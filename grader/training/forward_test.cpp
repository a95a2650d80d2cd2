#include "grader/training/forward.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "datasets/safetensors.h"
#include "datasets/says.h"
#include "datasets/temporary_directory.h"
#include "grader/ask/inputs.h"
#include "grader/base/errors.h"
#include "grader/judge/in_process.h"
#include "grader/training/random_weights.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(forward)

double largest_difference(const Array& a, const Array& b) {
    BOOST_TEST(a.shape == b.shape, boost::test_tools::per_element());
    double largest = 0;
    for (std::size_t k = 0; k < a.count(); ++k)
        largest = std::max(largest, std::abs(number_at(a, k) - number_at(b, k)));
    return largest;
}

constexpr double kRounding = 1e-4;

/// X [2, 5, 16] and a causal mask.
struct Sequence {
    Weights weights = random_sentence_weights();
    Array X, mask = Array::zeros<std::uint8_t>("mask", {2, 5, 5});
    Functions f{{}, {}};

    Sequence() {
        ask::Random random(3, "X");
        X = ask::normal("X", {2, 5, 16}, random);
        for (int k = 0; k < 50; ++k)
            mask.as<std::uint8_t>()[static_cast<std::size_t>(k)] = k % 5 <= k / 5 % 5 ? 1 : 0;
    }
    Array output(From from, bool masked) {
        return block_output(f, X, weights.block(0), {2, from, masked ? mask : Array()});
    }
};

BOOST_AUTO_TEST_CASE(a_block_is_the_same_from_larger_and_smaller_functions) {
    Sequence s;
    const Array whole = s.output(From::block, false), masked = s.output(From::block, true);
    BOOST_TEST(largest_difference(whole, s.output(From::multi_head, false)) < kRounding);
    BOOST_TEST(largest_difference(whole, s.output(From::attention, false)) < kRounding);
    BOOST_TEST(largest_difference(masked, s.output(From::multi_head, true)) < kRounding);
    BOOST_TEST(largest_difference(masked, s.output(From::masked_attention, true)) < kRounding);
    // The comparison would see a mask that is left out.
    BOOST_TEST(largest_difference(masked, whole) > 0.1);
}

BOOST_AUTO_TEST_CASE(rows_of_attention_sum_to_one_and_obey_the_mask) {
    Sequence s;
    const Array A = attention_in_block(s.f, s.X, s.weights.block(0), {2, From::masked_attention, s.mask});
    BOOST_TEST(A.shape == (Shape{2, 2, 5, 5}), boost::test_tools::per_element());
    const Array mean = mean_over_heads(A);
    const auto a = A.view<float, 4>();
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 5; ++i) {
            double sum = 0;
            for (int j = 0; j < 5; ++j) {
                sum += double{mean.view<float, 3>()(b, i, j)};
                if (j > i) BOOST_TEST(a(b, 0, i, j) == 0);
                BOOST_TEST(std::abs(mean.view<float, 3>()(b, i, j) - (a(b, 0, i, j) + a(b, 1, i, j)) / 2) <
                           1e-6F);
            }
            BOOST_TEST(std::abs(sum - 1) < 1e-5);
        }
}

BOOST_AUTO_TEST_CASE(a_linear_layer_is_X_W_plus_b) {
    const Array Y = linear(Array("X", {1, 2, 2}, std::vector<float>{1, 2, 3, 4}),
                           Array("W", {2, 3}, std::vector<float>{1, 0, 2, 0, 1, 3}),
                           Array("b", {3}, std::vector<float>{10, 20, 30}));
    BOOST_TEST(Y.shape == (Shape{1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(Y.as<float>() == (std::vector<float>{11, 22, 38, 13, 24, 48}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_number_is_never_the_largest) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const Array rows("rows", {3, 3}, std::vector<float>{kNan, 1, 2, 3, kNan, 1, kNan, kNan, kNan});
    BOOST_TEST(largest(rows) == (std::vector<int>{2, 0, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_weights_of_all_blocks_stand_behind_each_other) {
    const Weights weights = random_digit_weights();
    BOOST_TEST(weights.blocks() == 2);
    const Arrays all = weights.encoder();
    const Array& W_Q = ask::by_name(all, "W_Q");
    BOOST_TEST(W_Q.shape == (Shape{2, 16, 16}), boost::test_tools::per_element());
    const std::vector<float> second = weights("blocks.1.W_Q").as<float>();
    BOOST_TEST(std::equal(second.begin(), second.end(), W_Q.as<float>().begin() + 256));
    BOOST_TEST(ask::by_name(all, "gamma").shape == (Shape{16}), boost::test_tools::per_element());
    BOOST_TEST(weights("E", "X").name == "X");
    BOOST_TEST(weights.texts() == std::vector<std::string>{"made by: a test"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_file_of_another_model_is_refused_by_name) {
    const data::TemporaryDirectory folder;
    data::write_safetensors(folder / "w", {Array::zeros<float>("E", {1}), Array::zeros<double>("b", {1})});
    const Weights weights(folder / "w");
    BOOST_TEST(weights("E").count() == 1U);
    BOOST_CHECK_EXCEPTION(weights("cls"), UserError, data::says({"w: there is no array cls"}));
    BOOST_CHECK_EXCEPTION(weights("b"), UserError, data::says({"b of float32"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
