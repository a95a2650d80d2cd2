// What is said about a function that the library lacks.

#include "grader/grading/missing_function.h"

#include <boost/test/unit_test.hpp>

#include "grader/compile/source_facts.h"
#include "grader/proof/harness.h"
#include "grader/testing/golden.h"
#include "grader/testing/submission_folder.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(missing_function)

std::string instead(const std::string& function, const std::string& file, std::string_view text) {
    return instead_of(function, file, compile::void_functions(text));
}

BOOST_AUTO_TEST_CASE(a_name_with_a_typing_error_is_pointed_at) {
    BOOST_TEST(instead("softmax", "a.cpp", "void  sofmax(int);") ==
               "a.cpp has a function sofmax. Is softmax meant?");
    BOOST_TEST(instead("softmax", "a.cpp", "static void\nSoft_max(int x) {}") ==
               "a.cpp has a function Soft_max. Is softmax meant?");
    BOOST_TEST(
        instead("softmax", "a.cpp", "int softmax_of(); void row_max(); avoid softmax; void*softmax;") == "");
    BOOST_TEST(instead("softmax", "a.cpp", "void") == "");
}

BOOST_AUTO_TEST_CASE(other_parameters_or_another_namespace_are_asked_about) {
    BOOST_TEST(instead("softmax", "a.cpp", "void sofmax(); void softmax(float* Y)")
                   .starts_with("a.cpp has a function softmax. Are its parameters"));
}

BOOST_AUTO_TEST_CASE(the_report_says_it) {
    const compile::TestFolder folder;
    std::string text = compile::solution();
    const std::string name = "void softmax(";
    text.replace(text.find(name), name.size(), "void sotfmax(");
    text.insert(text.find("void sotfmax("),
                "void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X);\n");
    folder.write("self_attention.cpp", text);
    const report::Report report = folder.grade();
    const report::Check& check = report.assignments.front().parts.front().checks.front();
    BOOST_TEST((check.outcome == Outcome::missing));
    BOOST_TEST(report::contains(check.message, "self_attention.cpp has a function softmax. Are its"),
               check.message);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
