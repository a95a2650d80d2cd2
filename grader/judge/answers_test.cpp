// The unit of error, and calls that a function has to refuse.

#include <algorithm>
#include <bit>
#include <cmath>

#include <boost/test/unit_test.hpp>

#include "grader/judge/answer.h"
#include "grader/judge/in_process.h"
#include "grader/worker/protocol.h"

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(answers)

/// An encoder of three post-norm blocks, which makes rounding errors of the first block much larger.
Question encoder(std::uint64_t seed) {
    const ask::Module& module = *ask::find_module("transformer_block");
    Question question;
    question.module = &module;
    question.function = module.find_function("transformer_encoder");
    question.recipe = module.find_recipe("normal");
    question.sizes = {{"B", 2}, {"N", 3}, {"D", 4}, {"F", 7}, {"H", 2}, {"L", 3}};
    question.setting.options = {{"norm", 1}};
    question.seed = seed;
    question.name = "unit";
    return question;
}

/// The rounding errors of the plain loops at inputs that are moved by an ulp or two: as large as those of a
/// right answer that adds in another order, and independent of luck at the inputs themselves.
CallFunction another_right_student() {
    return [](const ask::Function& function, const Arrays& inputs, const std::vector<std::string>&,
              worker::Placement) {
        Arrays moved = inputs;
        for (Array& input : moved)
            if (auto* values = std::get_if<std::vector<float>>(&input.values))
                for (std::size_t k = 0; k < values->size(); k += 3)
                    (*values)[k] = std::nextafter((*values)[k], 100.0F);
        const Array at_moved = evaluate(function, moved, ask::Precision::f32)[0],
                    exact_at_moved = evaluate(function, moved, ask::Precision::f64)[0],
                    exact = evaluate(function, inputs, ask::Precision::f64)[0];
        worker::CallResult result;
        result.outputs = {Array::zeros<float>("Y", exact.shape)};
        for (std::size_t k = 0; k < exact.count(); ++k)
            result.outputs[0].as<float>()[k] = static_cast<float>(
                number_at(exact, k) + number_at(at_moved, k) - number_at(exact_at_moved, k));
        return result;
    };
}

BOOST_AUTO_TEST_CASE(the_unit_of_error_does_not_depend_on_the_luck_of_one_evaluation) {
    double worst_by_one = 0, worst_by_eight = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Question question = encoder(seed);
        const Verdict verdict = answer(question, another_right_student());
        const auto error_in = [&](double unit) {
            return judge::compare(verdict.got[0], verdict.truth_f64[0], unit, 20).error_yardsticks;
        };
        worst_by_one = std::max(worst_by_one, error_in(units_of(question, verdict.inputs, 1)[0]));
        worst_by_eight = std::max(worst_by_eight, error_in(units_of(question, verdict.inputs, 8)[0]));
    }
    BOOST_TEST_MESSAGE("largest error in units: " << worst_by_one << " and " << worst_by_eight);
    BOOST_TEST(worst_by_eight > 0.1);  // there are rounding errors to compare
    BOOST_TEST(worst_by_eight < 2.5);
    BOOST_TEST(worst_by_one > 1.5 * worst_by_eight);
}

BOOST_AUTO_TEST_CASE(the_first_evaluation_is_at_the_inputs_and_more_make_the_unit_no_smaller) {
    const Question question = encoder(1);
    const Verdict verdict = answer(question, reference_student());
    const double one = units_of(question, verdict.inputs, 1).at(0);
    BOOST_TEST(one == yardstick_of(verdict.truth_f64[0], verdict.truth_f32[0]));
    BOOST_TEST(units_of(question, verdict.inputs, 8).at(0) >= one);
}

// The unit grows by the luck of eight evaluations only: an error of a thousand units stays wrong.
BOOST_AUTO_TEST_CASE(half_precision_stays_wrong) {
    const auto rounded_to_half = reference_student([](const Arrays&, Arrays& outputs) {
        for (float& y : outputs[0].as<float>()) {
            int exponent = 0;
            const float mantissa = std::frexp(y, &exponent);
            y = std::ldexp(std::nearbyint(mantissa * 2048), exponent - 11);
        }
    });
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Verdict verdict = answer(encoder(seed), rounded_to_half);
        BOOST_TEST((verdict.outcome == Outcome::wrong));
        BOOST_TEST(verdict.comparison.error_yardsticks > 40);
    }
}

BOOST_AUTO_TEST_CASE(an_exception_of_another_type_is_no_refusal) {
    const ask::Module& module = *ask::find_module("multi_head");
    Question question;
    question.module = &module;
    question.function = module.find_function("split_heads");
    question.recipe = module.find_recipe("normal");
    question.sizes = {{"B", 1}, {"N", 2}, {"D", 7}, {"H", 3}};
    const Verdict verdict = answer(question, [](const ask::Function&, const Arrays&,
                                                const std::vector<std::string>&, worker::Placement) {
        return worker::failure(Outcome::threw, "It threw std::runtime_error: heads.");
    });
    BOOST_TEST((verdict.outcome == Outcome::threw));
    BOOST_TEST(verdict.message ==
               "H = 3 does not divide D = 7: for such sizes it must throw std::invalid_argument. It threw "
               "std::runtime_error: heads. This is another type.");
}

/// The index of the largest number, as the truth of a function whose output is whole.
template <class T>
void largest(TensorView<int, 1> index, TensorView<const T, 2> X) {
    for (int i = 0; i < X.size(0); ++i) {
        index(i) = 0;
        for (int j = 1; j < X.size(1); ++j)
            if (X(i, j) + T(1000) > X(i, index(i)) + T(1000)) index(i) = j;
    }
}

ask::Function largest_function() {
    return ask::make_function("largest", {{"index", {"N"}, false, ElementType::i32}}, {{"X", {"N", "D"}}},
                              largest<float>, largest<double>);
}

Question about_largest(const ask::Function& function, const ask::Recipe& recipe) {
    Question question = encoder(1);
    question.function = &function;
    question.recipe = &recipe;
    question.sizes = {{"N", 5}, {"D", 4}};
    question.setting = {};
    return question;
}

BOOST_AUTO_TEST_CASE(whole_outputs_are_right_or_wrong) {
    const ask::Function function = largest_function();
    const Question question = about_largest(function, ask::normal_recipe());
    BOOST_TEST((answer_twice(question, reference_student()).outcome == Outcome::passed));
    const Verdict off_by_one = answer_twice(question, reference_student([](const Arrays&, Arrays& outputs) {
                                                outputs[0].as<std::int32_t>()[2] += 1;
                                            }));
    BOOST_TEST((off_by_one.outcome == Outcome::wrong));
    BOOST_TEST(off_by_one.comparison.wrong_count == 1U);
    BOOST_TEST(off_by_one.comparison.worst == 2U);
}

BOOST_AUTO_TEST_CASE(a_recipe_with_a_decision_that_rounding_turns_is_a_fault_of_the_grader) {
    const ask::Function function = largest_function();
    // The function adds 1000. In float the two sums are the same, in double not.
    const ask::Recipe close{
        "close", "close numbers", {}, [](const ask::Function&, const ask::Sizes& sizes, ask::Random&) {
            Array X = Array::zeros<float>("X", {sizes.at("N"), sizes.at("D")});
            X.as<float>()[0] = 1;
            X.as<float>()[1] = 1.00001F;
            return Arrays{X};
        }};
    Question question = about_largest(function, close);
    const Arrays inputs = question.make_inputs();
    const auto in = [&](ask::Precision precision) { return evaluate(function, inputs, precision)[0]; };
    BOOST_TEST(!same_decisions(in(ask::Precision::f64), in(ask::Precision::f32)));
    BOOST_CHECK_THROW(answer(question, reference_student()), std::logic_error);
    question.given = inputs;  // as by a reader, who may ask anything
    BOOST_TEST((answer(question, reference_student()).outcome == Outcome::wrong));
}

BOOST_AUTO_TEST_CASE(all_outputs_that_were_not_written_are_named) {
    const ask::Function& function = *ask::find_module("convolution_attention")->find_function("batch_norm");
    Arrays outputs{Array::zeros<float>("Y", {1, 2, 2}), Array::zeros<float>("mean_new", {2}),
                   Array::zeros<float>("variance_new", {2})};
    const float unwritten = std::bit_cast<float>(worker::kPoison);
    const auto said = [&] {
        std::string message;
        BOOST_TEST((inspect(function, outputs, message) == Outcome::partly_written));
        return message;
    };
    outputs[1].as<float>() = {unwritten, unwritten};
    BOOST_TEST(said() == "mean_new was not written; the other outputs were.");
    outputs[2].as<float>() = {unwritten, unwritten};
    BOOST_TEST(said() == "mean_new and variance_new were not written; the other outputs were.");
    outputs[0].as<float>()[3] = unwritten;
    BOOST_TEST(said().starts_with("mean_new and variance_new were not written. Y was never written in "));
    outputs[0].as<float>() = {unwritten, unwritten, unwritten, unwritten};
    std::string message;
    BOOST_TEST((inspect(function, outputs, message) == Outcome::not_implemented));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
