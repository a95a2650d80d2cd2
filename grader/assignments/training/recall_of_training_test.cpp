// The training of recall: what its page says of models that look for the key and of models that do not.

#include <cmath>
#include <limits>

#include <boost/test/unit_test.hpp>

#include "grader/ask/inner_calls.h"
#include "grader/ask/inputs.h"
#include "grader/assignments/training/helpers.h"

namespace attn::ask::training {
namespace {

BOOST_AUTO_TEST_SUITE(recall_of_training)

constexpr std::size_t kSentences = 8, kWords = 6, kVocabulary = 5;

const Function& train_function() {
    return *module_of("train")->find_function("train");
}

/// The inputs of the rubric's case, for other seeds, too.
Arrays recall_inputs_of(std::uint64_t seed, int steps) {
    const Sizes sizes = {{"S", steps}, {"B", 8}, {"N", 6},  {"D", 16},
                         {"V", 5},     {"F", 8}, {"H", 16}, {"L", 2}};
    Random random(seed, "recall");
    Setting setting;
    setting.options = {{"decay", 0.01}};
    return make_inputs(train_function(), *module_of("train")->find_recipe("recall"), sizes, setting, random);
}

/// What the page says if the right answers have this probability.
std::string said_of(float probability) {
    Array P = Array::zeros<float>("P", {kSentences, kWords, kVocabulary});
    for (std::size_t b = 0; b < kSentences; ++b) {
        const auto answer = static_cast<std::size_t>(recall_world().sentences.at(b).back());
        P.as<float>().at((b * kWords + kWords - 1) * kVocabulary + answer) = probability;
    }
    return scene_of_recall().curves.at("losses").sentences({P}).at(0);
}

BOOST_AUTO_TEST_CASE(the_answers_tell_whether_the_attention_finds_the_value) {
    BOOST_TEST(said_of(0.99F).ends_with("So your model finds the value that belongs to the key."));
    BOOST_TEST(said_of(0.8F).ends_with("is not yet sure of it."));
    BOOST_TEST(said_of(0.5F).find("mean surprise at it is 0.6931 nats") != std::string::npos);
    BOOST_TEST(said_of(0.5F).ends_with("its attention does not help."));
    for (const float broken : {0.0F, -1.0F, 2.0F, std::numeric_limits<float>::quiet_NaN()})
        BOOST_TEST(said_of(broken) == "Your training does not end at a probability for each answer.");
}

BOOST_AUTO_TEST_CASE(the_floors_stand_in_the_curve_and_the_words_beside_the_arrays) {
    const Scene scene = scene_of_recall();
    const auto& levels = scene.curves.at("losses").levels;
    BOOST_REQUIRE(levels.size() == 3U);
    BOOST_TEST(levels[0].second == "0.6931: without attention");
    BOOST_TEST(levels[1].second == "0.4621: not which value belongs to which key");
    BOOST_TEST(levels[2].second == "0.3466: the least possible");
    BOOST_TEST((scene.words.at("N").at(1) == std::vector<std::string>{"START", "a", "1", "b", "2", "b"}));
}

BOOST_AUTO_TEST_CASE(the_reference_learns_to_recall_by_its_attention) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) BOOST_TEST_CONTEXT("seed " << seed) {
            const Arrays inputs = recall_inputs_of(seed, 100);
            const Arrays outputs = evaluate(train_function(), inputs, Precision::f32);
            BOOST_TEST(scene_of_recall().curves.at("losses").sentences(outputs).at(0).ends_with(
                "So your model finds the value that belongs to the key."));
            const Drawing picture = drawings_of_recall().at(0).make(inputs, outputs).value();
            BOOST_TEST((picture.matrices.shape == Shape{1, 6, 6}));
            BOOST_TEST((picture.words == std::vector<std::string>{"START", "a", "1", "b", "2", "a"}));
            BOOST_TEST(picture.sentences.at(2).ends_with(": the attention finds the answer."));
        }
}

BOOST_AUTO_TEST_CASE(a_head_that_looks_at_the_key_is_drawn) {
    // Each token has a number of its own in its vector, so that equal words look at each other: "a" at "a".
    const Arrays inputs = recall_inputs_of(1, 1);
    Array theta = map(by_name(inputs, "theta"), [](double) { return 0; });
    auto& w = theta.as<float>();
    constexpr std::size_t kD = 16, kF = 8, kBlock = 4 * kD * kD + 2 * kD * kF + 9 * kD + kF;
    for (std::size_t v = 0; v < kVocabulary; ++v) w[v * kD + v] = 1;
    for (std::size_t l = 0; l < 2; ++l) {
        const std::size_t block = (kVocabulary + kWords) * kD + l * kBlock;
        for (std::size_t d = 0; d < kD; ++d) {
            w[block + d] = 1;                                   // gamma_1
            w[block + 2 * kD + d * kD + d] = 3;                 // W_Q
            w[block + 2 * kD + kD * kD + kD + d * kD + d] = 1;  // W_K
        }
    }
    const Drawing picture = drawings_of_recall().at(0).make(inputs, {named("theta_new", theta)}).value();
    BOOST_TEST(picture.sentences.at(0).find("of head 1 in the last block") != std::string::npos);
    const auto A = picture.matrices.view<double, 3>();
    BOOST_TEST(A(0, 5, 1) > 0.45);  // the other half looks at itself
    BOOST_TEST(picture.sentences.at(1).find("the places 1 and 2") != std::string::npos);
    BOOST_TEST(picture.sentences.at(2).ends_with(": the model has not learned to recall."));
}

BOOST_AUTO_TEST_CASE(a_model_that_is_no_number_is_not_drawn) {
    const Arrays inputs = recall_inputs_of(1, 1);
    Array theta = by_name(inputs, "theta");
    BOOST_TEST(drawings_of_recall().at(0).make(inputs, {named("theta_new", theta)}).has_value());
    theta.as<float>().at(3) = std::numeric_limits<float>::quiet_NaN();
    BOOST_TEST(!drawings_of_recall().at(0).make(inputs, {named("theta_new", theta)}).has_value());
    BOOST_TEST(!drawings_of_recall().at(0).make(inputs, {by_name(inputs, "eta")}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::ask::training
