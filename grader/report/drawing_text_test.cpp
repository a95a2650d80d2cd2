#include <boost/test/unit_test.hpp>

#include "grader/report/check_description.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(drawing_text)

/// Attention weights of two words.
Check with_drawing() {
    Picture picture;
    picture.array = "A";
    picture.shape = {2, 2, 2};
    picture.slice = {1};
    picture.yours = picture.expected = {"A", {2, 2}, {1, 0, 0.25, 0.75}};
    picture.row_words = picture.column_words = {"I", "incomprehensibly"};
    picture.sentences = {"Which word looked at which."};
    Check check;
    check.pictures = {picture};
    return check;
}

BOOST_AUTO_TEST_CASE(a_drawing_is_a_table_with_words) {
    BOOST_TEST(attn::report::drawing_text(with_drawing(), 80) ==
               "\nWhich word looked at which.\n"
               "\nA[1] yours\n"
               "                          I incompreh ..\n"
               "             I        1.000        0.000\n"
               "  incompreh ..        0.250        0.750\n");
}

BOOST_AUTO_TEST_CASE(the_expected_numbers_are_shown_if_they_differ) {
    Check check = with_drawing();
    check.pictures[0].expected.values[3] = 0.5;
    const std::string wide = attn::report::drawing_text(check, 110),
                      narrow = attn::report::drawing_text(check, 60);
    BOOST_TEST(wide.find("A[1] yours                                  A[1] expected\n") != std::string::npos);
    BOOST_TEST(narrow.find("\nA[1] expected\n") != std::string::npos);
    BOOST_TEST(narrow.find("        0.500\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_picture_that_judges_is_no_table) {
    Check check = with_drawing();
    check.pictures[0].map.rows = 2;
    BOOST_TEST(attn::report::drawing_text(check, 80) == "\nWhich word looked at which.\n");
    check.pictures[0].sentences.clear();
    BOOST_TEST(attn::report::drawing_text(check, 80).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
