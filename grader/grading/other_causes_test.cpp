// Causes of wrong numbers that the numbers do not show.

#include "grader/grading/other_causes.h"

#include <memory>

#include <boost/test/unit_test.hpp>

#include "grader/judge/in_process.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(other_causes)

std::vector<judge::Question> questions() {
    return {judge::normal_question("softmax", {{"N", 2}, {"D", 3}}),
            judge::normal_question("softmax", {{"N", 3}, {"D", 4}})};
}

/// A process whose later calls add what the earlier ones have left.
judge::CallFunction process() {
    auto calls = std::make_shared<int>(0);
    return judge::reference_student([calls](const Arrays&, Arrays& outputs) {
        const float left = ++*calls > 2 ? 0.25F : 0;  // each question makes two calls
        for (Array& output : outputs)
            for (float& number : output.as<float>()) number += left;
    });
}

judge::CallFunction wrong_everywhere() {
    return judge::reference_student([](const Arrays&, Arrays& outputs) {
        for (Array& output : outputs)
            for (float& number : output.as<float>()) number += 0.25F;
    });
}

BOOST_AUTO_TEST_CASE(a_call_that_is_right_in_a_fresh_process_is_told) {
    diagnosis::NumericResult judged = diagnosis::judge_numeric(questions(), process());
    BOOST_TEST_REQUIRE((judged.checks.at(1).outcome == Outcome::wrong));
    add_kept_state(judged, process());
    BOOST_TEST(!judged.checks.at(0).diagnosis.has_value());
    BOOST_TEST_REQUIRE(judged.checks.at(1).diagnosis.has_value());
    BOOST_TEST(judged.checks.at(1).diagnosis->sentence.starts_with(
        "The same call is right in a fresh process, so your code keeps something"));
}

BOOST_AUTO_TEST_CASE(a_call_that_is_wrong_in_a_fresh_process_too_is_not) {
    diagnosis::NumericResult judged = diagnosis::judge_numeric(questions(), wrong_everywhere());
    add_kept_state(judged, wrong_everywhere());
    for (const report::Check& check : judged.checks) BOOST_TEST(!check.diagnosis.has_value());
}

BOOST_AUTO_TEST_CASE(a_refusal_that_is_wrong_because_nothing_else_is_right_is_not_kept_state) {
    const ask::Module& module = *ask::find_module("multi_head");
    const auto question = [&module](ask::Sizes sizes) {
        return judge::Question{
            {module.find_function("split_heads"), module.find_recipe("normal"), std::move(sizes), {}, {}},
            &module,
            7,
            "test",
            20};
    };
    const diagnosis::NumericResult before =
        diagnosis::judge_numeric({question({{"B", 2}, {"N", 3}, {"D", 7}, {"H", 3}}),
                                  question({{"B", 2}, {"N", 3}, {"D", 6}, {"H", 3}})},
                                 wrong_everywhere());
    diagnosis::NumericResult judged = before;
    BOOST_TEST_REQUIRE(judged.checks.at(0).message == report::kRefusesEverything);
    add_kept_state(judged, wrong_everywhere());
    for (const report::Check& check : judged.checks) BOOST_TEST(!check.diagnosis.has_value());
}

report::SourceFile source_with(const std::string& function) {
    report::SourceFile source;
    source.messages = "self_attention.cpp: In function 'void attn::" + function +
                      "(TensorView<float, 2>)':\n"
                      "self_attention.cpp:12:15: warning: 'sum' may be used uninitialized "
                      "[-Wmaybe-uninitialized]\n"
                      "   12 |         float sum;\n"
                      "      |               ^~~\n";
    return source;
}

BOOST_AUTO_TEST_CASE(a_warning_of_the_function_that_fails_is_told_with_its_line) {
    diagnosis::NumericResult judged = diagnosis::judge_numeric(questions(), process());
    add_uninitialised(source_with("self_attention"), "softmax", judged);
    BOOST_TEST(!judged.checks.at(1).lines.has_value());
    add_uninitialised(source_with("softmax"), "softmax", judged);
    BOOST_TEST(!judged.checks.at(0).lines.has_value());  // it passes
    BOOST_TEST_REQUIRE(judged.checks.at(1).lines.has_value());
    const SourceTrace& trace = *judged.checks.at(1).lines;
    BOOST_TEST(trace.what.starts_with("g++ warns: 'sum' may be used uninitialized. "));
    BOOST_TEST_REQUIRE(trace.lines.size() == 1U);
    BOOST_TEST(trace.lines[0].file == "self_attention.cpp");
    BOOST_TEST(trace.lines[0].line == 12);
    BOOST_TEST(trace.lines[0].text == "float sum;");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
