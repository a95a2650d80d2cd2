// Which questions kernels are asked, and which call is timed. Here plain loops answer those about the steps and the
// yardstick for a GPU, right ones and wrong ones. Only a device can say whether kernels answer them right.

#include "grader/gpu/gpu_questions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/gpu/ask_kernels.h"
#include "grader/grading/grade.h"
#include "grader/testing/needs_cuda.h"

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(gpu_questions)

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
        // costs has twelve numbers, whatever the sizes.
        BOOST_TEST((entry.questions.back().name == "many_blocks" || entry.function->name == "costs"),
                   entry.function->name);
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

BOOST_AUTO_TEST_CASE(arrays_that_do_not_grow_are_no_reason_to_go_on) {
    const std::vector<FunctionQuestions> entries = all();
    const judge::Question& last = of(entries, "costs").questions.back();
    BOOST_TEST(enlarged(last, 13).sizes.at("N") == 2 * last.sizes.at("N"));
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

const std::vector<FunctionQuestions>& more() {
    static const std::vector<FunctionQuestions> kMore =
        questions_for_more_kernels(rubric::read_rubrics(Installation().assignments), kPublicSeed);
    return kMore;
}

const FunctionQuestions& about(std::string_view name) {
    for (const FunctionQuestions& one : more())
        if (one.function->name == name) return one;
    throw std::logic_error("there are no questions about " + std::string(name));
}

bool has_question(const FunctionQuestions& entry, const std::string& name) {
    return std::any_of(entry.questions.begin(), entry.questions.end(),
                       [&](const judge::Question& question) { return question.name == name; });
}

/// Answers by an implementation instead of kernels.
Agreement answered_by(const FunctionQuestions& entry, const ask::Implementation& implementation) {
    return agree(entry.questions, ask_in_process([&](const std::string&) { return implementation; }));
}

/// The plain loops on inputs whose numbers keep only the upper `bits` bits of their 32.
ask::Implementation with_rounded_inputs(const ask::Function& function, int bits) {
    return [&function, bits](const Argument* arguments, int count) {
        std::vector<Argument> given(arguments, arguments + count);
        std::vector<std::vector<float>> rounded;
        for (std::size_t k = function.outputs.size(); k < function.outputs.size() + function.inputs.size();
             ++k) {
            const auto* const first = static_cast<const float*>(given[k].data);
            std::size_t size = 1;
            for (int axis = 0; axis < given[k].rank; ++axis)
                size *= static_cast<std::size_t>(given[k].shape[axis]);
            rounded.emplace_back(first, first + size);
            for (float& x : rounded.back()) {
                std::uint32_t word = 0;
                std::memcpy(&word, &x, sizeof x);
                word = (word + (1u << (31 - bits))) & (~0u << (32 - bits));
                std::memcpy(&x, &word, sizeof x);
            }
            given[k].data = rounded.back().data();
        }
        function.truth_f32(given.data(), count);
    };
}
constexpr int kBitsOfBf16 = 16, kBitsOfTf32 = 19;

BOOST_AUTO_TEST_CASE(plain_loops_in_float_answer_all_questions_right) {
    for (const FunctionQuestions& entry : more()) {
        const Agreement agreement = answered_by(entry, entry.function->truth_f32);
        BOOST_TEST(agreement.all_passed(), entry.function->name);
        for (const std::string& failure : agreement.failures) BOOST_ERROR(failure);
    }
}

BOOST_AUTO_TEST_CASE(the_rubrics_questions_about_the_same_function_are_asked) {
    const FunctionQuestions& warps = about("attend_by_warps");
    BOOST_TEST(has_question(warps, "many_blocks"));
    BOOST_TEST(has_question(about("softmax_rows"), "many_blocks"));
    BOOST_TEST(has_question(about("layer_norm_rows"), "many_blocks"));
    BOOST_TEST(has_question(about("attend"), "large_scores"));
    BOOST_TEST(warps.questions.front().name == "tiles");  // the sanitizers see the first one only
}

BOOST_AUTO_TEST_CASE(the_timed_call_is_no_case) {
    for (const FunctionQuestions& entry : more()) {
        BOOST_TEST(entry.timed.name == "timed", entry.function->name);
        BOOST_TEST(!has_question(entry, "timed"), entry.function->name);
    }
    BOOST_TEST(about("attend").timed.sizes.at("N_q") == 1024);
}

BOOST_AUTO_TEST_CASE(a_kernel_is_not_asked_for_sizes_that_it_does_not_take) {
    for (const judge::Question& question : about("attend_in_bf16").questions)
        BOOST_TEST(question.sizes.at("D_q") == 64);
    BOOST_TEST(has_question(about("attend"), "any_width"));
    for (const judge::Question& question : about("attend_online").questions)
        BOOST_TEST(question.sizes.at("D_q") <= 128);
}

BOOST_AUTO_TEST_CASE(attention_without_the_causal_mask_is_wrong) {
    const ask::Function& with_mask = *about("attend").function;
    const Agreement agreement = answered_by(about("attend"), [&](const Argument* arguments, int count) {
        std::vector<Argument> given(arguments, arguments + count);
        given.back().number = 0;
        with_mask.truth_f32(given.data(), count);
    });
    BOOST_TEST(agreement.failures.size() == 4U);  // causal, causal_wide, rows_without_keys, any_width
}

BOOST_AUTO_TEST_CASE(a_linear_layer_without_its_bias_is_wrong) {
    const ask::Function& function = *about("linear").function;
    const Agreement agreement = answered_by(about("linear"), [&](const Argument* arguments, int count) {
        std::vector<Argument> given(arguments, arguments + count);
        std::vector<float> zeros(static_cast<std::size_t>(given.back().shape[0]));
        given.back().data = zeros.data();
        function.truth_f32(given.data(), count);
    });
    BOOST_TEST(agreement.passed == 0);
    BOOST_TEST(agreement.asked == 4);
}

BOOST_AUTO_TEST_CASE(numbers_of_tf32_are_too_inexact_for_the_yardstick) {
    const FunctionQuestions& entry = about("attend");
    const Agreement agreement = answered_by(entry, with_rounded_inputs(*entry.function, kBitsOfTf32));
    BOOST_TEST(agreement.passed < agreement.asked);
    BOOST_TEST(agreement.worst_yardsticks > 100);
}

BOOST_AUTO_TEST_CASE(the_exhibit_may_have_the_error_of_bf16_but_no_larger_one) {
    const FunctionQuestions& entry = about("attend_in_bf16");
    const Agreement agreement = answered_by(entry, with_rounded_inputs(*entry.function, kBitsOfBf16));
    BOOST_TEST(agreement.all_passed());
    BOOST_TEST(agreement.worst_yardsticks > 1000);
    const Agreement with_4_bits_less =
        answered_by(entry, with_rounded_inputs(*entry.function, kBitsOfBf16 - 4));
    BOOST_TEST(!with_4_bits_less.all_passed());
}

BOOST_AUTO_TEST_CASE(every_function_has_kernels_in_this_program, *needs_kernels()) {
    const std::vector<std::string> found = functions_with_kernels();
    for (const FunctionQuestions& entry : more())
        BOOST_TEST(std::count(found.begin(), found.end(), entry.function->name) ==
                       (entry.module->name == "products" ? 0 : 1),  // the tests are linked without cuBLAS
                   entry.function->name);
    BOOST_TEST(kernels_left_out() == (std::vector<std::string>{"multiply", "multiply_transposed", "linear"}),
               boost::test_tools::per_element());
    const auto all = questions_for_all_kernels(rubric::read_rubrics(Installation().assignments), kPublicSeed);
    BOOST_TEST(all.size() == found.size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
