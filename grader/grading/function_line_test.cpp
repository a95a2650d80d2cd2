#include "grader/grading/function_line.h"

#include <boost/test/unit_test.hpp>

#include "grader/testing/hostile_text.h"

using namespace attn;

BOOST_AUTO_TEST_SUITE(function_line)

BOOST_AUTO_TEST_CASE(the_line_of_the_definition_is_found) {
    BOOST_TEST(line_of_function("softmax", "void softmax(float* Y) {}") == 1);
    BOOST_TEST(line_of_function("softmax",
                                "#include \"x.h\"\n\nvoid softmax(float* Y);\n// void softmax() {\n"
                                "void own_softmax(int) {}\nvoid softmax_rows(int) {}\n"
                                "static void\n softmax (float* Y,\n  int n)\n{\n softmax(Y, 1);\n}\n") == 8);
    BOOST_TEST(line_of_function("softmax", "int a;\nvoid attn::softmax(float* Y) {\n}\n") == 2);
}

BOOST_AUTO_TEST_CASE(what_is_no_definition_has_no_line) {
    for (const char* source :
         {"", "softmax", "void softmax", "void softmax(", "void softmax(int);", "voidsoftmax() {",
          "int softmax() {", "avoid softmax() {", "void softmaxes() {", "x = softmax() {"})
        BOOST_TEST(line_of_function("softmax", source) == 0, source);
}

BOOST_AUTO_TEST_CASE(a_megabyte_of_anything_is_read_in_a_second) {
    std::vector<std::string> pieces = {"softmax", "void softmax",     "void softmax(", "void softmax(;",
                                       "void  ",  "void\n\nsoftmax ", "::softmax"};
    for (const std::string& piece : pieces) {
        const std::string text = testing::filled_with(piece, std::size_t{1} << 20);
        BOOST_TEST(testing::cpu_time_of([&] { line_of_function("softmax", text); }) < 1.0, piece);
    }
}

BOOST_AUTO_TEST_SUITE_END()
