#include "datasets/alphabet.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"

namespace attn::data {

BOOST_AUTO_TEST_SUITE(alphabet)

BOOST_AUTO_TEST_CASE(characters_are_numbered_in_the_order_of_their_codes) {
    const Alphabet letters("banana \xc3\n");
    BOOST_TEST(letters.characters() == "\n abn\xc3");
    BOOST_TEST(letters.size() == 6);
    BOOST_TEST(letters.numbers("nab\xc3") == (std::vector<std::int32_t>{4, 2, 3, 5}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers_become_the_text_again) {
    const std::string text = "Oh dear! Oh dear! I shall be late!";
    const Alphabet letters(text);
    BOOST_TEST(letters.text(letters.numbers(text)) == text);
}

BOOST_AUTO_TEST_CASE(what_is_not_in_the_alphabet_is_refused) {
    const Alphabet letters("abc");
    BOOST_CHECK_EXCEPTION(letters.numbers("cad"), std::invalid_argument,
                          message_contains({"\"d\" is not one of \"abc\""}));
    BOOST_CHECK_EXCEPTION(letters.text({0, 3}), std::invalid_argument,
                          message_contains({"no character 3", "0 .. 2"}));
    BOOST_CHECK_EXCEPTION(letters.text({-1}), std::invalid_argument, message_contains({"no character -1"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::data
