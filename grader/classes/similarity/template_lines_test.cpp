#include "grader/classes/similarity/template_lines.h"

#include <regex>

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

BOOST_AUTO_TEST_CASE(what_is_repeated_often_is_taken_out) {
    const std::string loop = "for (int i = 0; i < n; ++i) x[i] = f(i);\n",
                      other = "float y = g(1) + h(2, 3);\n";
    std::string text;
    for (int k = 0; k < 10; ++k)
        text += std::regex_replace(loop, std::regex("i\\b"), "i" + std::to_string(k)) + other;
    const std::string kept = without_repetition(text, 12, 4);
    BOOST_TEST(std::count(kept.begin(), kept.end(), '\n') == 20);
    BOOST_TEST(kept.find("f(i0)") != std::string::npos);
    BOOST_TEST(kept.find("f(i3)") != std::string::npos);
    BOOST_TEST(kept.find("f(i9)") == std::string::npos);
    BOOST_TEST(without_repetition(text, 12, 100).find("f(i9)") != std::string::npos);
    BOOST_TEST(without_repetition("", 12, 4).empty());
    for (const std::string& piece : testing::kHardTokens) {
        const std::string long_text = testing::filled_with(piece, std::size_t{64} << 10);
        BOOST_TEST(testing::cpu_time_of([&] { without_repetition(long_text, 24, 32); }) < 0.5, piece);
    }
}

BOOST_AUTO_TEST_CASE(any_text_is_read_in_linear_time) {
    GivenCode given;
    for (int k = 0; k < 1000; ++k)
        given.add("float x" + std::to_string(k % 50) + " = f(" +
                  std::string(static_cast<std::size_t>(k % 40), '(') + "x + y" + std::to_string(k) + ");");
    std::vector<std::string> pieces = testing::kHardTokens;
    pieces.insert(pieces.end(), {"x;", "x = x + x;\n", "float x1 = f((x + y2);"});
    for (const std::string& piece : pieces) {
        const std::string text = testing::filled_with(piece, std::size_t{64} << 10);
        BOOST_TEST(testing::cpu_time_of([&] { given.without_given(text); }) < 0.5, piece);
    }
    std::string different;
    for (int k = 0; different.size() < std::size_t{64} << 10; ++k)
        different += "float x" + std::to_string(k % 50) + " = f(x + y" + std::to_string(k * 7919 % 1000) +
                     " * x" + std::to_string(k % 37) + ");\n";
    BOOST_TEST(testing::cpu_time_of([&] { given.without_given(different); }) < 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
