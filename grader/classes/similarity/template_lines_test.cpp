#include "grader/classes/similarity/template_lines.h"

#include <boost/test/unit_test.hpp>

#include "grader/testing/hostile_text.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(template_lines)

const std::string kStub =
    "// Step 1.\nvoid softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {\n    (void)Y, "
    "(void)X;\n}\n";

std::string own_words(const std::string& code, const std::string& stub = kStub, bool markdown = false) {
    GivenCode given;
    given.add(stub, markdown);
    const std::string own = given.without_given(code);
    BOOST_TEST(std::count(own.begin(), own.end(), '\n') == std::count(code.begin(), code.end(), '\n'));
    std::string words;
    std::istringstream in(own);
    for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
    return words;
}

BOOST_AUTO_TEST_CASE(an_untouched_stub_has_nothing_of_its_own) {
    BOOST_TEST(own_words(kStub) == "");
}

BOOST_AUTO_TEST_CASE(edited_and_rewrapped_template_lines_stay_the_templates) {
    BOOST_TEST(
        own_words(
            "void softmax(TensorView<float, 2> out,\n             TensorView<const float, 2> X) // mine\n"
            "{\n    (void)Y, (void)X;\n}\n") == "");
    BOOST_TEST(
        own_words("static void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X)\n{ }\n") == "");
}

BOOST_AUTO_TEST_CASE(the_students_lines_stay_where_they_are) {
    GivenCode given;
    given.add(kStub);
    const std::string own = given.without_given(
        "void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {\n    /* a\n b */ float sum = "
        "0;\n}\n");
    BOOST_TEST(own.find("float sum = 0;") != std::string::npos);
    BOOST_TEST(std::count(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(own.find("float")), '\n') ==
               2);
    BOOST_TEST(own.find("softmax") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(other_statements_are_not_the_templates) {
    for (const char* code : {"float sum = 0;", "for (int i = 0; i < X.size(0); i++) Y(i, 0) = X(i, 0);"})
        BOOST_TEST(own_words(code) == code);
}

BOOST_AUTO_TEST_CASE(the_code_of_a_handout_is_given_and_its_text_is_not) {
    const std::string page =
        "Write this:\n```cpp\nfloat scale = 1 / std::sqrt(float(D_q));\n```\nfloat x = y + z + 1;\n";
    BOOST_TEST(own_words("float scale = 1 / std::sqrt(float(D_q));", page, true) == "");
    BOOST_TEST(own_words("float x = y + z + 1;", page, true) == "float x = y + z + 1;");
}

BOOST_AUTO_TEST_CASE(any_text_is_read) {
    for (const std::string& piece : testing::kHardTokens) {
        GivenCode given;
        given.add(testing::filled_with(piece, 1000));
        given.add(testing::filled_with(piece, 1000), true);
        const std::string text = testing::filled_with(piece + "x;", 3000);
        BOOST_TEST(given.without_given(text).size() == text.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
