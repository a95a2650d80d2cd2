// A backward pass that is the derivative of a mistaken forward pass is named as that.

#include "grader/diagnosis/other_forward.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "grader/ask/inputs.h"
#include "grader/diagnosis/numeric.h"
#include "grader/judge/in_process.h"

namespace attn::diagnosis {
namespace {

BOOST_AUTO_TEST_SUITE(other_forward)

int number_of(const ask::Module& module, const std::string& mistake) {
    const auto found = std::ranges::find(module.mistakes, mistake, &ask::Mistake::name);
    BOOST_REQUIRE(found != module.mistakes.end());
    return static_cast<int>(found - module.mistakes.begin());
}

/// A student who differentiates the forward pass with this mistake of its module, each number by differences.
judge::CallFunction derivative_of(const std::string& mistake) {
    return judge::reference_student([mistake](const Arrays& inputs, Arrays& outputs) {
        const ask::Function& backward =
            *ask::find_module("backward")->find_function("scaled_dot_product_attention_backward");
        const auto forward = forward_of(backward, inputs);
        const int made = number_of(*forward->module, mistake);
        const auto loss = [&](const std::string& name, std::size_t k, double step) {
            Arrays moved;
            for (const Array& array : forward->inputs) {
                moved.push_back(array.name == name ? array.cast<double>() : array);
                if (array.name == name) moved.back().as<double>()[k] += step;
            }
            return loss_of(*forward, *forward->module->mistaken(*forward->function, moved,
                                                                ask::Precision::f64)(std::span(&made, 1)));
        };
        constexpr double kStep = 1e-5;
        for (Array& gradient : outputs) {
            const std::string input = gradient.name.substr(1);
            for (std::size_t k = 0; k < gradient.count(); ++k)
                gradient.as<float>()[k] =
                    static_cast<float>((loss(input, k, kStep) - loss(input, k, -kStep)) / (2 * kStep));
        }
    });
}

std::vector<judge::Question> questions() {
    const ask::Module& module = *ask::find_module("backward");
    const ask::Function* const function = module.find_function("scaled_dot_product_attention_backward");
    std::vector<judge::Question> all;
    for (const ask::Sizes& sizes : {ask::Sizes{{"B", 2}, {"N_q", 3}, {"N_k", 5}, {"D_q", 4}, {"D_v", 6}},
                                    ask::Sizes{{"B", 1}, {"N_q", 4}, {"N_k", 4}, {"D_q", 4}, {"D_v", 4}}})
        all.push_back({{function, module.find_recipe("normal"), sizes, {}, {}}, &module, 7, "test", 20});
    return all;
}

report::Diagnosis diagnosis_for(const judge::CallFunction& student) {
    const NumericResult judged = judge_numeric(questions(), student);
    BOOST_REQUIRE(judged.checks.front().outcome != Outcome::passed);
    return judged.checks.front().diagnosis.value_or(report::Diagnosis());
}

BOOST_AUTO_TEST_CASE(the_mistake_of_the_forward_is_named) {
    const report::Diagnosis found = diagnosis_for(derivative_of("scale_after_softmax"));
    BOOST_REQUIRE(found.mistakes.size() == 1U);
    BOOST_TEST(found.mistakes.front() == "other_forward:scale_after_softmax");
    BOOST_TEST(found.sentence.starts_with(
        "Your gradients are right for another forward pass: what comes back when "));
    BOOST_TEST(!found.hints.empty());
}

BOOST_AUTO_TEST_CASE(a_wrong_term_is_no_other_forward) {
    const report::Diagnosis found =
        diagnosis_for(judge::reference_student([](const Arrays&, Arrays& outputs) {
            for (float& x : outputs.at(1).as<float>()) x *= 1.01F;
        }));
    BOOST_TEST(found.mistakes.empty());
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_no_other_forward) {
    const report::Diagnosis found =
        diagnosis_for(judge::reference_student([](const Arrays&, Arrays& outputs) {
            outputs.at(0).as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
            outputs.at(1).as<float>()[0] += 1;
        }));
    BOOST_TEST(found.mistakes.empty());
}

BOOST_AUTO_TEST_CASE(only_a_backward_has_a_forward) {
    const ask::Module& module = *ask::find_module("self_attention");
    const judge::Question question = judge::normal_question("softmax", {{"N", 2}, {"D", 3}});
    BOOST_TEST(!forward_of(*module.find_function("softmax"), question.make_inputs()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
