#include "grader/models/weights.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/safetensors.h"
#include "grader/ask/inputs.h"
#include "grader/base/errors.h"
#include "grader/models/random_weights.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(weights)

BOOST_AUTO_TEST_CASE(the_weights_of_all_blocks_stand_behind_each_other) {
    const Weights weights = random_digit_weights();
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
    BOOST_CHECK_EXCEPTION(weights("cls"), UserError, data::message_contains({"w: there is no array cls"}));
    BOOST_CHECK_EXCEPTION(weights("b"), UserError, data::message_contains({"b of float32"}));
}

BOOST_AUTO_TEST_CASE(the_numbers_of_a_model_are_those_of_the_file) {
    training::Layout layout;
    const training::LanguageModel model(layout, 14, 8, random_sentence_weights().stack_sizes(2));
    const training::Numbers theta = random_sentence_weights().numbers(layout);
    BOOST_TEST(theta.size() == layout.count());
    const std::vector<float> P = random_sentence_weights()("P").as<float>();
    BOOST_TEST(std::equal(P.begin(), P.end(), layout.view<2>(theta.data(), "P").data()));
    BOOST_CHECK_EXCEPTION(random_digit_weights().numbers(layout), UserError,
                          data::message_contains({"table are missing", "not a file of this model"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
