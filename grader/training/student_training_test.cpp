// A training on a student's functions computes what it computes on the reference's, and a wrong
// backward is seen.

#include <cmath>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"
#include "grader/training/gradient_check.h"
#include "grader/training/student_modules.h"
#include "reference/training/tasks.h"

namespace attn::trained {
namespace {

BOOST_AUTO_TEST_SUITE(student_training)

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
    for (const std::string name : {"three_sentences", "digits", "translation", "transformer"})
        BOOST_TEST_CONTEXT(name) {
            const auto task = training::task_named(name);
            const auto plain = training::plain_modules();
            Functions functions(judge::reference_student(), kLayers);
            const auto students = student_modules(functions, training::plain_modules());
            const FirstStep yours(*task, *students), expected(*task, *plain);
            BOOST_TEST(std::abs(yours.loss - expected.loss) < kRounding);
            BOOST_TEST(difference(yours, expected) < kRounding);
            for (const Origin& origin : functions.origins()) {
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
            Functions functions(judge::reference_student([](const Arrays&, Arrays& outputs) {
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
    Functions functions([](const ask::Function&, const Arrays&, const std::vector<std::string>&,
                           worker::Placement) { return worker::failure(Outcome::crashed, "at line 7"); },
                        kLayers);
    const auto students = student_modules(functions, training::fast_modules());
    const auto fast = training::fast_modules();
    BOOST_TEST(difference(FirstStep(*task, *students), FirstStep(*task, *fast)) == 0);
    for (const Origin& origin : functions.origins()) BOOST_TEST(origin.note == "crashed: at line 7");
}

BOOST_AUTO_TEST_CASE(a_wrong_gradient_is_named_by_its_weight) {
    const auto task = training::task_named("three_sentences");
    const auto fast = training::fast_modules();
    const training::Numbers theta = task->layout().initial(1);
    const auto check_of = [&](const std::set<std::string>& wrong, std::size_t output, float factor) {
        Functions functions(judge::reference_student([=](const Arrays&, Arrays& outputs) {
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
        Functions functions(judge::reference_student([](const Arrays&, Arrays& outputs) {
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::trained
