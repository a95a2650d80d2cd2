// What kernels are asked, and which call is timed.

#include <cmath>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/gpu/asked.h"
#include "grader/gpu/take_times.h"
#include "grader/grading/grade.h"

namespace attn::gpu {
namespace {

std::vector<Asked> all() {
    return all_asked(submission::read_rubrics(Installation().assignments), kPublicSeed);
}

const Asked& of(const std::vector<Asked>& asked, const std::string& function) {
    for (const Asked& one : asked)
        if (one.function->name == function) return one;
    throw std::logic_error("nothing is asked of " + function);
}

BOOST_AUTO_TEST_SUITE(kernels_asked)

BOOST_AUTO_TEST_CASE(every_function_of_an_assignment_with_kernels_is_asked) {
    std::set<std::string> names, contracts;
    for (const Asked& asked : all()) {
        names.insert(asked.function->name);
        BOOST_TEST(asked.questions.size() >= 2U, asked.function->name);
        BOOST_TEST(asked.questions.back().name == "many_blocks", asked.function->name);
    }
    for (const submission::Rubric& rubric : submission::read_rubrics(Installation().assignments))
        if (rubric.cuda)
            for (const ask::Function& function : rubric.module->functions) contracts.insert(function.name);
    BOOST_TEST(names == contracts, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_timed_call_is_that_of_the_rubric_or_the_last_case_grown) {
    const std::vector<Asked> asked = all();
    BOOST_TEST(of(asked, "scaled_dot_product_attention").timed.sizes.at("N_q") == 256);
    BOOST_TEST((of(asked, "scaled_dot_product_attention").timed.wanted == std::vector<std::string>{"Y"}));
    // 2 [N, 5] in 2^21 numbers: 1051, doubled eight times.
    BOOST_TEST(of(asked, "softmax").timed.sizes.at("N") == 1051 << 8);
    BOOST_TEST(of(asked, "softmax").timed.sizes.at("D") == 5);
    for (const Asked& one : asked)
        BOOST_TEST(one.function->refusal(one.timed.sizes).empty(), one.function->name);
}

BOOST_AUTO_TEST_CASE(what_is_large_enough_does_not_grow) {
    const std::vector<Asked> asked = all();
    const judge::Question& last = of(asked, "softmax").questions.back();
    BOOST_TEST((grown(last, 2 * 1051 * 5).sizes == last.sizes));
    BOOST_TEST(grown(last, 2 * 1051 * 5 + 1).sizes.at("N") == 2 * 1051);
}

BOOST_AUTO_TEST_CASE(both_times_are_medians_for_the_same_arrays) {
    const std::vector<Asked> asked = all();
    const judge::Question& question = of(asked, "softmax").questions.front();
    const Argument* seen = nullptr;
    const Clock kernels = [&](const Argument* arguments, int count, int repetitions) {
        BOOST_TEST(count == 2);
        seen = arguments;
        std::vector<double> times(static_cast<std::size_t>(repetitions), 3.0);
        times.front() = 1000;
        return times;
    };
    const Clock plain_loops = [&](const Argument* arguments, int, int repetitions) {
        BOOST_TEST((arguments == seen));
        return std::vector<double>(static_cast<std::size_t>(repetitions), 12.0);
    };
    const Times times = take_times(question, kernels, plain_loops);
    BOOST_TEST(times.device_ms == 3);
    BOOST_TEST(times.plain_ms == 12);
    BOOST_TEST(times.ratio() == 4);
    BOOST_TEST(times.call == question.setting_in_words());
    const Clock nothing = [](const Argument*, int, int) { return std::vector<double>(); };
    BOOST_TEST(std::isnan(take_times(question, nothing, nothing).ratio()));
}

BOOST_AUTO_TEST_CASE(the_plain_loops_are_called_once_more_than_timed) {
    ask::Function counted = *ask::find_module("self_attention")->find_function("softmax");
    int calls = 0;
    counted.truth_f32 = [&calls](const Argument*, int) { ++calls; };
    BOOST_TEST(clock_of_plain_loops(counted)(nullptr, 0, 5).size() == 5U);
    BOOST_TEST(calls == 6);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
