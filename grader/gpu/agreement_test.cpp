// Right kernels pass and wrong ones do not. Ordinary functions stand in for the kernels.

#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/gpu/ask_kernels.h"
#include "grader/judge/in_process.h"

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(agreement)

using ask::Implementation;

const ask::Function& attention() {
    return *ask::find_module("self_attention")->find_function("scaled_dot_product_attention");
}

judge::Question question() {
    return judge::normal_question(attention().name,
                                  {{"B", 2}, {"N_q", 3}, {"N_k", 4}, {"D_q", 5}, {"D_v", 6}});
}

Agreement agree_with(const Implementation& implementation, const judge::Question& asked = question()) {
    return agree({asked}, ask_in_process([&](const std::string&) { return implementation; }));
}

/// Computes the truth and then applies `change` to Y(0, 0, 0).
template <class Change>
Implementation truth_with_first_element(Change change) {
    return [change](const Argument* arguments, int count) {
        attention().truth_f32(arguments, count);
        float& first = *static_cast<float*>(arguments[0].data);
        first = change(first);
    };
}

template <class Error>
Implementation throwing() {
    return [](const Argument*, int) { throw Error("a reason"); };
}

bool fails_once_saying(const Agreement& agreement, const std::string& words) {
    return agreement.failures.size() == 1 && agreement.failures[0].find(words) != std::string::npos &&
           agreement.passed == 0 && agreement.asked == 1 && !agreement.all_passed();
}

BOOST_AUTO_TEST_CASE(the_truth_itself_passes) {
    const Agreement agreement = agree_with(attention().truth_f32);
    BOOST_TEST(agreement.all_passed());
    BOOST_TEST(agreement.asked == 1);
    BOOST_TEST(agreement.worst_yardsticks > 0);
    BOOST_TEST(agreement.worst_yardsticks <= 1);
}

BOOST_AUTO_TEST_CASE(no_questions_means_not_passed) {
    BOOST_TEST(
        !agree({}, ask_in_process([](const std::string&) { return attention().truth_f32; })).all_passed());
}

BOOST_AUTO_TEST_CASE(one_wrong_element_fails_and_is_named) {
    const Agreement agreement = agree_with(truth_with_first_element([](float y) { return y + 1; }));
    BOOST_TEST(fails_once_saying(agreement, "wrong: Y(0, 0, 0) is "));
    BOOST_TEST(fails_once_saying(agreement, "1 of 36 elements are wrong"));
    BOOST_TEST(agreement.worst_yardsticks > 20);
}

BOOST_AUTO_TEST_CASE(nan_never_passes) {
    const Agreement agreement =
        agree_with(truth_with_first_element([](float) { return std::numeric_limits<float>::quiet_NaN(); }));
    BOOST_TEST(fails_once_saying(agreement, "not finite: "));
    BOOST_TEST(std::isinf(agreement.worst_yardsticks));
}

BOOST_AUTO_TEST_CASE(a_function_that_writes_nothing_or_too_little_fails) {
    BOOST_TEST(fails_once_saying(agree_with([](const Argument*, int) {}), "Nothing was written"));
    const Agreement first_output_only = agree_with([](const Argument* arguments, int count) {
        std::vector<Argument> some(arguments, arguments + count);
        some[1].data = nullptr;
        some[1].shape[0] = some[1].shape[1] = some[1].shape[2] = 0;
        attention().truth_f32(some.data(), count);
    });
    BOOST_TEST(fails_once_saying(first_output_only, "A was not written; the other outputs were"));
}

BOOST_AUTO_TEST_CASE(different_bits_in_the_second_call_fail) {
    int calls = 0;
    const Agreement agreement = agree_with([&](const Argument* arguments, int count) {
        truth_with_first_element([&](float y) { return calls++ == 0 ? y : std::nextafter(y, 9.0F); })(
            arguments, count);
    });
    BOOST_TEST(fails_once_saying(agreement, "not deterministic: "));
}

BOOST_AUTO_TEST_CASE(errors_fail_with_their_messages_and_so_do_missing_kernels) {
    BOOST_TEST(fails_once_saying(agree_with(throwing<std::runtime_error>()), "kernel error: a reason"));
    BOOST_TEST(fails_once_saying(agree_with(throwing<std::invalid_argument>()), "a reason"));
    BOOST_TEST(fails_once_saying(agree_with([](const Argument*, int) { throw std::bad_alloc(); }),
                                 "out of memory: "));
    BOOST_TEST(fails_once_saying(agree_with({}), "missing: "));
    BOOST_CHECK_THROW(agree_with(throwing<CallError>()), CallError);
}

BOOST_AUTO_TEST_CASE(an_output_that_is_not_wanted_is_an_empty_view) {
    judge::Question without_A = question();
    without_A.wanted = {"Y"};
    bool had_a_place = true;
    const Agreement agreement = agree_with(
        [&](const Argument* arguments, int count) {
            had_a_place = arguments[1].data != nullptr || arguments[1].shape[0] != 0;
            attention().truth_f32(arguments, count);
        },
        without_A);
    BOOST_TEST(agreement.all_passed());
    BOOST_TEST(!had_a_place);
}

BOOST_AUTO_TEST_CASE(invalid_sizes_pass_only_if_they_are_refused) {
    const ask::Module& module = *ask::find_module("multi_head");
    judge::Question odd = question();
    odd.module = &module;
    odd.function = module.find_function("split_heads");
    odd.recipe = module.find_recipe("normal");
    odd.sizes = {{"B", 1}, {"N", 2}, {"D", 7}, {"H", 3}};
    BOOST_TEST(agree_with(odd.function->truth_f32, odd).all_passed());
    BOOST_TEST(!agree_with([](const Argument*, int) {}, odd).all_passed());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
