// The numbers of the smallest failing case are simple, and the case fails for the same reason.

#include "grader/diagnosis/simplify_values.h"

#include <chrono>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "grader/ask/inputs.h"
#include "grader/judge/in_process.h"

namespace attn::diagnosis {
namespace {

BOOST_AUTO_TEST_SUITE(simplify_values)

const ask::Sizes kSmall{{"B", 1}, {"N_q", 1}, {"N_k", 2}, {"D_q", 2}, {"D_v", 1}};

bool any_failure(const judge::Question&, const judge::Verdict& verdict) {
    return verdict.outcome != Outcome::passed;
}

Shrunk failing(const judge::Question& question, const judge::CallFunction& student) {
    return {question, answer(question, student)};
}

std::vector<float> numbers_of(const Shrunk& shrunk, const char* name) {
    return ask::by_name(shrunk.verdict.inputs, name).as<float>();
}

/// A softmax with another error in the first row, which `error` computes from the row.
judge::CallFunction wrong_softmax(float (*error)(const float* row, int length)) {
    return judge::reference_student([error](const Arrays& inputs, Arrays& outputs) {
        const Array& X = inputs.front();
        outputs[0].as<float>()[0] += error(X.as<float>().data(), X.shape[1]);
    });
}

const ask::Sizes kRows{{"N", 2}, {"D", 3}};

BOOST_AUTO_TEST_CASE(numbers_that_are_not_below_0_stay_so) {
    // The simplest number that still fails is -1, which a probability cannot be.
    const judge::CallFunction student =
        wrong_softmax([](const float* row, int) { return row[0] == 0 || row[0] == 1 ? 0.0F : 1.0F; });
    for (const bool below : {false, true}) {
        judge::Question question = judge::normal_question("softmax", kRows);
        question.given = question.make_inputs();
        for (float& x : question.given.front().as<float>()) x = below ? -std::abs(x) : std::abs(x);
        const Shrunk simple =
            diagnosis::simplify_values(failing(question, student), student, any_failure, true);
        BOOST_TEST((numbers_of(simple, "X").front() < 0) == below);
    }
}

BOOST_AUTO_TEST_CASE(a_number_that_has_to_stay_has_six_digits_at_most) {
    // It fails only between 0.8765 and 0.8768, where no number has three digits.
    const judge::CallFunction student = wrong_softmax(
        [](const float* row, int) { return row[0] > 0.8765F && row[0] < 0.8768F ? 1.0F : 0.0F; });
    for (const float given : {0.87661234F, 0.876512345F}) {
        judge::Question question = judge::normal_question("softmax", kRows);
        question.given = question.make_inputs();
        question.given.front().as<float>().front() = given;
        const Shrunk simple =
            diagnosis::simplify_values(failing(question, student), student, any_failure, true);
        BOOST_TEST(numbers_of(simple, "X").front() == (given > 0.8766F ? 0.8766F : 0.876512F));
    }
}

BOOST_AUTO_TEST_CASE(scores_without_a_scale_are_shown_with_zeros_and_ones) {
    const ask::Module& module = *ask::find_module("self_attention");
    int number = 0;
    while (module.mistakes[static_cast<std::size_t>(number)].name != "no_scale") ++number;
    const judge::CallFunction student = judge::mistaken_student(module, {number});
    const judge::Question question = judge::normal_question("scaled_dot_product_attention", kSmall);
    for (const bool explained : {true, false}) {
        const Shrunk simple =
            diagnosis::simplify_values(failing(question, student), student, any_failure, explained);
        BOOST_TEST(numbers_of(simple, "Q") == (std::vector<float>{1, 0}), boost::test_tools::per_element());
        BOOST_TEST(numbers_of(simple, "K") == (std::vector<float>{1, 0, 0, 0}),
                   boost::test_tools::per_element());
        BOOST_TEST(numbers_of(simple, "V") == (std::vector<float>{1, 0}), boost::test_tools::per_element());
        BOOST_TEST(name_of(simple.verdict.outcome) == "wrong");
        // The question gives these inputs again.
        BOOST_TEST(name_of(answer(simple.question, student).outcome) == "wrong");
        BOOST_TEST(ask::by_name(simple.question.make_inputs(), "Q").as<float>()[0] == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_case_does_not_fail_for_another_reason) {
    // Wrong by a tenth of x, and wrong by 5 where the whole row is 0, which no case of the rubric shows.
    const judge::CallFunction student = wrong_softmax([](const float* row, int length) {
        const bool zeros = std::all_of(row, row + length, [](float x) { return x == 0; });
        return zeros ? 5.0F : 0.1F * row[0];
    });
    const Shrunk simple = diagnosis::simplify_values(
        failing(judge::normal_question("softmax", kRows), student), student, any_failure, false);
    BOOST_TEST(numbers_of(simple, "X") == (std::vector<float>{1, 0, 0, 0, 0, 0}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_number_that_matters_stays_with_few_digits) {
    // Only wrong where x is far from 0, and not by much.
    const judge::CallFunction student =
        wrong_softmax([](const float* row, int) { return std::abs(row[0]) > 2.5F ? 0.5F : 0.0F; });
    judge::Question question = judge::normal_question("softmax", kRows);
    question.given = {Array("X", {2, 3}, std::vector<float>{-3.4567F, 0.3F, 1.7F, 0.2F, -0.8F, 1.1F})};
    const Shrunk simple = diagnosis::simplify_values(failing(question, student), student, any_failure, false);
    BOOST_TEST(numbers_of(simple, "X") == (std::vector<float>{-3, 0, 0, 0, 0, 0}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_was_right_stays_right) {
    // The second row is wrong only where it is 0.
    const judge::CallFunction student = judge::reference_student([](const Arrays& inputs, Arrays& outputs) {
        const std::vector<float>& X = inputs.front().as<float>();
        outputs[0].as<float>()[0] += 0.5F;
        if (std::abs(X[3]) < 0.1F) outputs[0].as<float>()[3] += 0.5F;
    });
    const Shrunk simple = diagnosis::simplify_values(
        failing(judge::normal_question("softmax", kRows), student), student, any_failure, false);
    BOOST_TEST(simple.verdict.comparison.wrong_count == 1U);
    BOOST_TEST(numbers_of(simple, "X")[3] == 1);
}

BOOST_AUTO_TEST_CASE(the_calls_are_counted_and_end_with_the_first_crash) {
    int calls = 0;
    const judge::CallFunction wrong = wrong_softmax([](const float* row, int) { return 0.1F * row[0]; });
    const judge::CallFunction counted = [&](const auto&... arguments) {
        return ++calls, wrong(arguments...);
    };
    const judge::Question question = judge::normal_question("softmax", kRows);
    const Shrunk start = failing(question, wrong);
    diagnosis::simplify_values(start, counted, any_failure, false, {5, 10});
    BOOST_TEST(calls == 5);
    calls = 0;
    const judge::CallFunction crashing = [&](const auto&...) {
        return ++calls, worker::failure(Outcome::crashed, "signal 11");
    };
    const Shrunk same = diagnosis::simplify_values(start, crashing, any_failure, true);
    BOOST_TEST(calls == 1);
    BOOST_TEST(numbers_of(same, "X") == start.verdict.inputs.front().as<float>(),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_slow_function_keeps_its_numbers_and_a_busy_machine_changes_nothing) {
    constexpr auto kSlow = std::chrono::milliseconds(20);
    constexpr ValueLimits kLimits{300, 0.1};
    const judge::CallFunction wrong =
        wrong_softmax([](const float* row, int) { return std::abs(row[0]) > 2.5F ? 0.5F : 0.0F; });
    judge::Question question = judge::normal_question("softmax", kRows);
    question.given = {Array("X", {2, 3}, std::vector<float>{-3.4567F, 0.3F, 1.7F, 0.2F, -0.8F, 1.1F})};
    const Shrunk start = failing(question, wrong);
    int calls = 0;
    const judge::CallFunction slow = [&](const auto&... arguments) {
        ++calls;
        std::this_thread::sleep_for(kSlow);
        return wrong(arguments...);
    };
    diagnosis::simplify_values(start, slow, any_failure, false, kLimits);
    BOOST_TEST(calls <= 6);
    // Every call but the first has to wait.
    calls = 0;
    const judge::CallFunction waiting = [&](const auto&... arguments) {
        if (calls++ > 0) std::this_thread::sleep_for(kSlow);
        return wrong(arguments...);
    };
    const Shrunk simple = diagnosis::simplify_values(start, waiting, any_failure, false, kLimits);
    BOOST_TEST(calls > 6);
    BOOST_TEST(numbers_of(simple, "X") == (std::vector<float>{-3, 0, 0, 0, 0, 0}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::diagnosis
