// A training on a student's functions computes what it computes on the reference's, and a wrong
// backward is seen.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"
#include "grader/models/random_weights.h"
#include "grader/models/shows.h"
#include "grader/models/student_modules.h"
#include "reference/models/tasks.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(student_training, *boost::unit_test::label("long"))

const std::set<std::string> kLayers = {"layer_norm",
                                       "layer_norm_backward",
                                       "transformer_block",
                                       "transformer_block_backward",
                                       "multi_head_attention",
                                       "multi_head_attention_backward",
                                       "feed_forward",
                                       "feed_forward_backward",
                                       "embed_patches",
                                       "embed_patches_backward",
                                       "encode",
                                       "decode",
                                       "decode_backward",
                                       "cross_entropy",
                                       "cross_entropy_backward"};

/// The loss and the gradients of the first step.
struct FirstStep {
    double loss;
    training::Numbers gradient;

    FirstStep(training::Task& task, training::Modules& modules) : gradient(task.layout().count()) {
        training::Random random(1, 2);
        loss = task.gradients(modules, gradient, task.layout().initial(3), random);
    }
};

double difference(const FirstStep& a, const FirstStep& b) {
    double squares = 0, norm = 0;
    for (std::size_t k = 0; k < a.gradient.size(); ++k) {
        squares += std::pow(double{a.gradient[k]} - double{b.gradient[k]}, 2);
        norm += std::pow(double{b.gradient[k]}, 2);
    }
    return std::sqrt(squares / norm);
}

constexpr double kRounding = 1e-5;

BOOST_AUTO_TEST_CASE(right_functions_give_the_gradients_of_the_plain_loops) {
    std::set<std::string> called;
    for (const std::string name : {"three_sentences", "recall", "digits", "translation", "transformer"})
        BOOST_TEST_CONTEXT(name) {
            const auto task = training::task_named(name);
            const auto plain = training::plain_modules();
            StudentOrReference functions(judge::reference_student(), kLayers);
            const auto students = student_modules(functions, training::plain_modules());
            const FirstStep yours(*task, *students), expected(*task, *plain);
            BOOST_TEST(std::abs(yours.loss - expected.loss) < kRounding);
            BOOST_TEST(difference(yours, expected) < kRounding);
            for (const UsedFunction& origin : functions.origins()) {
                BOOST_TEST(origin.students, origin.function << " " << origin.note);
                called.insert(origin.function);
            }
        }
    BOOST_TEST(called == kLayers, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_function_is_really_the_students) {
    for (const std::string& wrong : kLayers) BOOST_TEST_CONTEXT(wrong) {
            const bool is_of_dates = wrong.find("code") != std::string::npos;
            const bool is_of_images = wrong.find("patches") != std::string::npos;
            const bool is_of_decoders = wrong.find("multi_head") == 0 || wrong.find("feed_forward") == 0;
            const auto task = training::task_named(is_of_dates      ? "translation"
                                                   : is_of_decoders ? "transformer"
                                                   : is_of_images   ? "digits"
                                                                    : "three_sentences");
            StudentOrReference functions(judge::reference_student([](const Arrays&, Arrays& outputs) {
                                             for (Array& output : outputs)
                                                 for (float& y : output.as<float>()) y *= 1.25F;
                                         }),
                                         {wrong});
            const auto students = student_modules(functions, training::fast_modules());
            const auto fast = training::fast_modules();
            const FirstStep yours(*task, *students), expected(*task, *fast);
            BOOST_TEST((difference(yours, expected) > 0.01 || std::abs(yours.loss - expected.loss) > 0.01));
        }
}

BOOST_AUTO_TEST_CASE(a_function_that_fails_is_that_of_the_others) {
    const auto task = training::task_named("three_sentences");
    StudentOrReference functions(
        [](const ask::Function&, const Arrays&, const std::vector<std::string>&, worker::Placement) {
            return worker::failure(Outcome::crashed, "at line 7");
        },
        kLayers);
    const auto students = student_modules(functions, training::fast_modules());
    const auto fast = training::fast_modules();
    BOOST_TEST(difference(FirstStep(*task, *students), FirstStep(*task, *fast)) == 0);
    for (const UsedFunction& origin : functions.origins()) BOOST_TEST(origin.note == "crashed: at line 7");
}

BOOST_AUTO_TEST_CASE(a_wrong_gradient_is_named_by_its_weight) {
    const auto task = training::task_named("three_sentences");
    const auto fast = training::fast_modules();
    const training::Numbers theta = task->layout().initial(1);
    const auto check_of = [&](const std::set<std::string>& wrong, std::size_t output, float factor) {
        StudentOrReference functions(judge::reference_student([=](const Arrays&, Arrays& outputs) {
                                         for (float& y : outputs.at(output).as<float>()) y *= factor;
                                     }),
                                     wrong);
        return compare_gradients(*task, theta, *student_modules(functions, training::fast_modules()), *fast);
    };
    BOOST_TEST(check_of({"transformer_block_backward"}, 0, 1).good());
    // The outputs of transformer_block_backward are dX, dgamma_1, dbeta_1, dW_Q, db_Q, dW_K, ..
    const GradientCheck wrong = check_of({"transformer_block_backward"}, 5, 1.05F);
    BOOST_TEST(!wrong.good());
    BOOST_TEST(wrong.weight == "blocks.0.W_K");
    BOOST_TEST(std::abs(wrong.difference - 0.05) < 0.001);
    BOOST_TEST(!check_of({"transformer_block_backward"}, 3, NAN).good());
}

BOOST_AUTO_TEST_CASE(a_wrong_backward_leaves_the_loss_above_the_line) {
    const auto task = training::task_named("three_sentences");
    const auto end_of = [&](const std::set<std::string>& wrong) {
        StudentOrReference functions(judge::reference_student([](const Arrays&, Arrays& outputs) {
                                         for (float& y : outputs[0].as<float>()) y = -y;  // dX
                                     }),
                                     wrong);
        const auto students = student_modules(functions, training::fast_modules());
        training::Training run(*task, *students, 1, task->settings());
        while (!run.done()) run.step();
        return run.losses().back();
    };
    constexpr double kLeast = 0.1735;
    BOOST_TEST(end_of({}) < kLeast * 1.01);
    BOOST_TEST(end_of({"layer_norm_backward"}) > kLeast * 1.01);
}

/// A block that reads X [2, 5, 16], with a causal mask.
struct BlockOfSentences {
    training::Layout layout;
    training::LanguageModel model{layout, 14, 8, {2, 16, 2, 8}};
    training::Numbers theta = random_sentence_weights().numbers(layout);
    BlockWeights<float> weights = training::block_weights(layout, theta.data(), training::block_prefix(0));
    Array X = Array::zeros<float>("X", {2, 5, 16}), mask = Array::zeros<std::uint8_t>("mask", {2, 5, 5});
    StudentOrReference functions{{}, {}};

    BlockOfSentences() {
        training::Random random(3, 1);
        for (float& x : X.as<float>()) x = random.normal();
        for (int k = 0; k < 50; ++k)
            mask.as<std::uint8_t>()[static_cast<std::size_t>(k)] = k % 5 <= k / 5 % 5 ? 1 : 0;
    }
    training::Masks causal() const { return mask.view<std::uint8_t, 3>(); }

    training::Numbers output(LayerChoice::From from, training::Masks masks) {
        Array Y = Array::zeros<float>("Y", {2, 5, 16});
        training::Kept kept;
        student_modules(functions, training::plain_modules(), {.from = from})
            ->transformer_block(Y.view<float, 3>(), std::as_const(X).view<float, 3>(), weights, masks, 2,
                                Norm::pre, Activation::gelu_erf, training::kEps, kept);
        return Y.as<float>();
    }
};

double largest_difference(const training::Numbers& a, const training::Numbers& b) {
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        largest = std::max(largest, std::abs(double{a[k]} - double{b[k]}));
    return a.size() == b.size() ? largest : INFINITY;
}

BOOST_AUTO_TEST_CASE(a_block_is_the_same_from_larger_and_smaller_functions) {
    using enum LayerChoice::From;
    constexpr double kBlockRounding = 1e-4;
    BlockOfSentences s;
    const training::Numbers whole = s.output(block, {}), masked = s.output(block, s.causal());
    BOOST_TEST(largest_difference(whole, s.output(multi_head, {})) < kBlockRounding);
    BOOST_TEST(largest_difference(whole, s.output(attention, {})) < kBlockRounding);
    BOOST_TEST(largest_difference(masked, s.output(multi_head, s.causal())) < kBlockRounding);
    BOOST_TEST(largest_difference(masked, s.output(attention, s.causal())) < kBlockRounding);
    // The comparison would see a mask that is left out.
    BOOST_TEST(largest_difference(masked, whole) > 0.1);
    std::set<std::string> called;
    for (const UsedFunction& origin : s.functions.origins()) called.insert(origin.function);
    BOOST_TEST(called.contains("masked_attention"));
    BOOST_TEST(called.contains("scaled_dot_product_attention"));
    BOOST_TEST(called.contains("multi_head_attention"));
}

BOOST_AUTO_TEST_CASE(rows_of_attention_sum_to_one_and_obey_the_mask) {
    BlockOfSentences s;
    const Array A = attention_weights(s.functions, *training::plain_modules(),
                                      std::as_const(s.X).view<float, 3>(), s.weights, s.causal(), 2);
    BOOST_TEST(A.shape == (Shape{2, 2, 5, 5}), boost::test_tools::per_element());
    const auto a = A.view<float, 4>();
    for (int b = 0; b < 2; ++b)
        for (int h = 0; h < 2; ++h)
            for (int i = 0; i < 5; ++i) {
                double sum = 0;
                for (int j = 0; j < 5; ++j) {
                    sum += double{a(b, h, i, j)};
                    if (j > i) BOOST_TEST(a(b, h, i, j) == 0);
                }
                BOOST_TEST(std::abs(sum - 1) < 1e-5);
            }
    const Array one("A", {1, 2, 1, 2}, std::vector<float>{1, 0, 0.5F, 0.5F});
    BOOST_TEST(mean_over_heads(one) == (std::vector<double>{0.75, 0.25}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_plain_decoder_is_decode_with_one_word_to_look_at) {
    training::Layout layout;
    training::Translator translator(layout, {34, 11, 8, 6, 7, 5}, false);
    const training::Numbers theta = random_date_weights().numbers(layout);
    const auto said = [&](LayerChoice choice, const std::string& wrong) {
        StudentOrReference functions(judge::reference_student([](const Arrays&, Arrays& outputs) {
                                         for (Array& output : outputs)
                                             for (float& y : output.as<float>()) y = -y;
                                     }),
                                     {wrong});
        return translator.translate(*student_modules(functions, training::plain_modules(), choice), layout,
                                    theta.data(), {{1, 2, 3}, {4, 5}}, 6);
    };
    const auto right = said({}, "");
    BOOST_TEST((said({.plain_decoder = true}, "") == right));
    BOOST_TEST((said({.plain_decoder = true}, "decode") == right));
    BOOST_TEST((said({.plain_decoder = true}, "decode_without_attention") != right));
    BOOST_TEST((said({}, "decode") != right));
    BOOST_TEST((said({.plain_decoder = true}, "encode") != right));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
