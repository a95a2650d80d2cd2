// Which questions kernels are asked, and which call is timed.

#include "grader/gpu/function_questions.h"

#include <cmath>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/gpu/take_times.h"
#include "grader/grading/grade.h"

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(function_questions)

std::vector<FunctionQuestions> all() {
    return questions_for_all_functions(rubric::read_rubrics(Installation().assignments), kPublicSeed);
}

const FunctionQuestions& of(const std::vector<FunctionQuestions>& entries, std::string_view function) {
    for (const FunctionQuestions& one : entries)
        if (one.function->name == function) return one;
    throw std::logic_error("there are no questions about " + std::string(function));
}

BOOST_AUTO_TEST_CASE(every_function_of_an_assignment_with_kernels_is_asked) {
    std::set<std::string> names, contracts;
    for (const FunctionQuestions& entry : all()) {
        names.insert(entry.function->name);
        BOOST_TEST(entry.questions.size() >= 2U, entry.function->name);
        BOOST_TEST(entry.questions.back().name == "many_blocks", entry.function->name);
    }
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments))
        if (rubric.cuda)
            for (const ask::Function& function : rubric.module->functions) contracts.insert(function.name);
    BOOST_TEST(names == contracts, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_timed_call_is_that_of_the_rubric) {
    const std::vector<FunctionQuestions> entries = all();
    BOOST_TEST(of(entries, "scaled_dot_product_attention").timed.sizes.at("N_q") == 1024);
    BOOST_TEST((of(entries, "scaled_dot_product_attention").timed.wanted == std::vector<std::string>{"Y"}));
    BOOST_TEST(of(entries, "softmax").timed.sizes.at("D") == 1024);
    for (const FunctionQuestions& one : entries)
        BOOST_TEST(one.function->refusal(one.timed.sizes).empty(), one.function->name);
}

BOOST_AUTO_TEST_CASE(without_a_timed_call_the_last_case_is_enlarged) {
    auto rubrics = rubric::read_rubrics(Installation().assignments);
    int timed = 0;
    for (rubric::Rubric& rubric : rubrics)
        for (rubric::PartRubric& part : rubric.parts) {
            timed += part.cuda_timed.has_value();
            part.cuda_timed.reset();
        }
    BOOST_TEST(timed > 20);
    const std::vector<FunctionQuestions> entries = questions_for_all_functions(rubrics, kPublicSeed);
    // 2 [N, 5] in 2^21 numbers: 1051, doubled eight times.
    BOOST_TEST(of(entries, "softmax").timed.sizes.at("N") == 1051 << 8);
    BOOST_TEST(of(entries, "softmax").timed.sizes.at("D") == 5);
}

BOOST_AUTO_TEST_CASE(a_question_that_is_large_enough_stays) {
    const std::vector<FunctionQuestions> entries = all();
    const judge::Question& last = of(entries, "softmax").questions.back();
    BOOST_TEST((enlarged(last, 2 * 1051 * 5).sizes == last.sizes));
    BOOST_TEST(enlarged(last, 2 * 1051 * 5 + 1).sizes.at("N") == 2 * 1051);
}

BOOST_AUTO_TEST_CASE(both_times_are_medians_over_calls_with_the_same_arrays) {
    const std::vector<FunctionQuestions> entries = all();
    const judge::Question& question = of(entries, "softmax").questions.front();
    const Argument* seen = nullptr;
    const KernelTimer kernels = [&](const Argument* arguments, int count, int repetitions) {
        BOOST_TEST(count == 2);
        seen = arguments;
        std::vector<double> times(static_cast<std::size_t>(repetitions), 3.0);
        times.front() = 1000;
        return Timings{std::vector<double>(times.size(), 5.0), times};
    };
    const Timer plain_loops = [&](const Argument* arguments, int, int repetitions) {
        BOOST_TEST((arguments == seen));
        return std::vector<double>(static_cast<std::size_t>(repetitions), 12.0);
    };
    const Times times = take_times(question, kernels, plain_loops);
    BOOST_TEST(times.device_ms == 3);
    BOOST_TEST(times.call_ms == 5);
    BOOST_TEST(times.gbytes == 1e-9 * 4 * 2 * 5 * 7);  // X and Y, [5, 7] floats each
    BOOST_TEST(times.gflop == 0);                      // those of softmax are not counted
    BOOST_TEST(times.plain_ms == 12);
    BOOST_TEST(times.ratio() == 4);
    BOOST_TEST(times.call == question.setting_in_words());
    const Timer nothing = [](const Argument*, int, int) { return std::vector<double>(); };
    const KernelTimer no_kernels = [](const Argument*, int, int) { return Timings(); };
    BOOST_TEST(std::isnan(take_times(question, no_kernels, nothing).ratio()));
}

BOOST_AUTO_TEST_CASE(the_plain_loops_are_called_once_more_than_timed) {
    ask::Function counted = *ask::find_module("self_attention")->find_function("softmax");
    int calls = 0;
    counted.truth_f32 = [&calls](const Argument*, int) { ++calls; };
    BOOST_TEST(plain_loops_timer(counted)(nullptr, 0, 5).size() == 5U);
    BOOST_TEST(calls == 6);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
