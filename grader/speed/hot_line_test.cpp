// The line that takes the time of a slow function. Each solution of the assignment has it somewhere else.

#include "grader/speed/hot_line.h"

#include <boost/test/unit_test.hpp>

#include "grader/grading/questions.h"
#include "grader/proof/harness.h"
#include "grader/testing/golden.h"

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(hot_line)

/// Of scaled_dot_product_attention in this text of assignment 2.
std::string hot_line_of(const std::string& text) {
    const data::TemporaryDirectory folder;
    folder.write("self_attention.cpp", text);
    const Installation installation;
    compile::Builds builds(folder.path(), rubric::read_rubrics(installation.assignments), installation);
    compile::Builds sampled = builds.sampled();
    for (const rubric::Rubric& rubric : sampled.rubrics())
        for (const rubric::PartRubric& part : rubric.parts)
            if (part.function->name == "scaled_dot_product_attention")
                return speed::hot_line(sampled, rubric, speed_question(rubric, part, 0));
    return "there is no such part";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
    BOOST_REQUIRE(report::contains(text, from));
    return text.replace(text.find(from), from.size(), to);
}

BOOST_AUTO_TEST_CASE(a_long_sum_is_named) {
    const std::string line = hot_line_of(proof::solution("self_attention"));
    BOOST_TEST(report::contains(line, " % of the time goes into self_attention.cpp:"), line);
    BOOST_TEST(report::contains(line, "sum += W(i, j) * V(b, j, d);`. It adds one number at a time"), line);
}

BOOST_AUTO_TEST_CASE(a_call_of_the_c_library_is_named) {
    const std::string line =
        hot_line_of(changed(proof::solution("self_attention"), "sum += W(i, j) * V(b, j, d);",
                            "sum += W(i, j) * std::tanh(1e-6f * V(b, j, d)) * 1e6f;"));
    BOOST_TEST(report::contains(line, "std::tanh"), line);
    // Which of the two it is depends on how fast this machine's C library is.
    BOOST_TEST((report::contains(line, "a library function that is called for one number at a time") ||
                report::contains(line, "It calls a function for one number at a time")),
               line);
}

BOOST_AUTO_TEST_CASE(nothing_is_said_against_a_vectorised_loop) {
    const std::string line = hot_line_of(R"(
#include "self_attention.h"
namespace attn {
void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                                  TensorView<const float, 3> K, TensorView<const float, 3> V) {
    (void)A, (void)Q, (void)K;
    const float* v = V.data();
    float* y = Y.data();
    for (int again = 0; again < 200; again++)
        for (int i = 0; i < Y.size(1) * Y.size(2); i++) y[i] = 0.5f * y[i] + v[i];
}
}
)");
    BOOST_TEST(report::contains(line, "y[i] = 0.5f * y[i] + v[i];`."), line);
    BOOST_TEST(!report::contains(line, "at a time"), line);
}

BOOST_AUTO_TEST_CASE(instructions_tell_how_many_numbers_they_handle) {
    const std::string sum = one_at_a_time({{0, "vmovss (%rax),%xmm1"}, {4, "vaddss %xmm1,%xmm0,%xmm0"}});
    BOOST_TEST(sum.starts_with("It adds one number at a time"));
    BOOST_TEST(one_at_a_time({{0, "vfmadd231ss (%rax),%xmm1,%xmm0"}}) == sum);
    BOOST_TEST(one_at_a_time({{0, "addsd %xmm1,%xmm0"}}) == sum);
    BOOST_TEST(one_at_a_time({{0, "call 1030 <tanhf@plt>"}, {5, "vaddss %xmm0,%xmm1,%xmm1"}})
                   .starts_with("It calls a function"));
    BOOST_TEST(
        one_at_a_time({{0, "call 1030 <_ZGVdN8v_tanhf@plt>"}, {5, "vaddps %ymm0,%ymm1,%ymm1"}}).empty());
    // The products are made eight at a time, but the sum is not.
    BOOST_TEST(one_at_a_time({{0, "vmulps (%rax),%ymm1,%ymm1"},
                              {4, "vaddss %xmm1,%xmm0,%xmm0"},
                              {8, "vaddss %xmm2,%xmm0,%xmm0"}}) == sum);
    BOOST_TEST(report::contains(one_at_a_time({{0, "vmulss %xmm1,%xmm0,%xmm2"}, {4, "vcomiss %xmm1,%xmm0"}}),
                                "the condition in this loop"));
    BOOST_TEST(one_at_a_time({{0, "vdivss %xmm1,%xmm0,%xmm2"}}).ends_with("did not vectorise this loop."));
    BOOST_TEST(one_at_a_time({{0, "vaddps %ymm1,%ymm0,%ymm0"}, {4, "vaddss %xmm1,%xmm0,%xmm0"}}).empty());
    BOOST_TEST(one_at_a_time({{0, "add $0x4,%rax"}, {4, "subps"}}).empty());
    BOOST_TEST(one_at_a_time({}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
