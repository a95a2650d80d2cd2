#include "grader/ask/dims.h"

#include <stdexcept>

#include <boost/test/unit_test.hpp>

namespace attn::ask {
namespace {

BOOST_AUTO_TEST_SUITE(dims)

BOOST_AUTO_TEST_CASE(a_letter_is_a_name_without_operators) {
    for (const char* letter : {"N", "N_q", "D_h", "L2"}) BOOST_TEST(is_letter(letter));
    for (const char* other : {"", "3", "D/H", "N+1", "2*F", "N q"}) BOOST_TEST(!is_letter(other));
}

BOOST_AUTO_TEST_CASE(letters_are_listed_in_order) {
    BOOST_TEST((letters_of("H/P*W/P+1") == std::vector<std::string>{"H", "P", "W", "P"}));
    BOOST_TEST((letters_of("2*M-1") == std::vector<std::string>{"M"}));
    BOOST_TEST((letters_of("N_q") == std::vector<std::string>{"N_q"}));
    BOOST_TEST((letters_of("ceil(N/B_r)+D") == std::vector<std::string>{"N", "B_r", "D"}));
    BOOST_TEST(letters_of("42").empty());
}

BOOST_AUTO_TEST_CASE(lengths_follow_from_letters) {
    const Sizes sizes{{"D", 12}, {"H", 7}, {"W", 9}, {"P", 3}, {"C", 2}, {"N_q", 5}};
    BOOST_TEST(length_of("N_q", sizes) == 5);
    BOOST_TEST(length_of("42", sizes) == 42);
    BOOST_TEST(length_of("H/P", sizes) == 2);  // rounded down
    BOOST_TEST(length_of("P*P*C", sizes) == 18);
    BOOST_TEST(length_of("H/P*W/P+1", sizes) == 2 * 3 + 1);  // a product of quotients
    BOOST_TEST(length_of("D+2*P+1", sizes) == 19);
    BOOST_TEST(length_of("2*P-1", sizes) == 5);
    BOOST_TEST(length_of("D-2*P+1", sizes) == 7);
    BOOST_TEST(length_of("D/P/2", sizes) == 2);
    BOOST_TEST(length_of("ceil(H/P)", sizes) == 3);  // rounded up
    BOOST_TEST(length_of("2*ceil(W/P)+1", sizes) == 7);
    BOOST_TEST(length_of("ceil(ceil(D/H)/P)", sizes) == 1);
    BOOST_TEST(length_of("ceil(ceil(W/2)/C)", sizes) == 3);
}

BOOST_AUTO_TEST_CASE(an_expression_that_is_not_a_length_is_refused) {
    const Sizes sizes{{"D", 12}, {"Z", 0}, {"M", 100000}};
    BOOST_CHECK_THROW(length_of("Q", sizes), std::out_of_range);
    for (const char* wrong :
         {"", "+", "D+", "D-", "-1", "D D", "D/Z", "(D)", "M*M", "ceil(D)", "ceil(D/2", "ceil(D/Z)"})
        BOOST_CHECK_THROW(length_of(wrong, sizes), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::ask
