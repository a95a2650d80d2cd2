// Texts as numbers of pieces of words. On the course's own text, and on many random ones, the numbers were compared with
// those of the package's tokenizer: see README.md.

#include "grader/search/wordpiece.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"

namespace attn::search {
namespace {

BOOST_AUTO_TEST_SUITE(wordpiece)

const std::string kPieces =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nuna\n##ff\n##able\naff\ncafe\n!\n$\n\xe5\xad\x97\n\xe2\x80\x94\n##"
    "s\nin\n##i\n##n\ni\n";

std::vector<std::string> pieces_of(const std::string& text, std::size_t most = SIZE_MAX) {
    const WordPiece words(kPieces);
    std::vector<std::string> pieces = words.pieces(words.numbers(text, most));
    BOOST_REQUIRE(pieces.size() >= 2U);
    BOOST_TEST(pieces.front() == "[CLS]");
    BOOST_TEST(pieces.back() == "[SEP]");
    return {pieces.begin() + 1, pieces.end() - 1};
}

struct Example {
    std::string text;
    std::vector<std::string> pieces;
};

BOOST_AUTO_TEST_CASE(a_text_is_cut_as_bert_cuts_it) {
    for (const auto& [text, pieces] : std::vector<Example>{
             {"", {}},
             {"unaffable", {"una", "##ff", "##able"}},
             {"UNAFFABLE Cafes", {"una", "##ff", "##able", "cafe", "##s"}},
             {"caf\u00e9 cafe\u0301 CAF\u00c9", {"cafe", "cafe", "cafe"}},
             {"in\u00a0in\u3000in\tin\nin", {"in", "in", "in", "in", "in"}},
             {"una\u200bff\u0007able",
              {"una", "##ff", "##able"}},  // neither of the two is a character to read
             {"in!in$in\u2014in", {"in", "!", "in", "$", "in", "\u2014", "in"}},
             {"in\u5b57in", {"in", "\u5b57", "in"}},
             {"\u0130n", {"in"}},  // a capital I with a dot loses it as an accent
             {"unaffx in", {"[UNK]", "in"}},
             {"in [MASK]! [mask]", {"in", "[MASK]", "!", "[UNK]", "[UNK]", "[UNK]"}},
             {"in[SEP][CLS]in", {"in", "[SEP]", "[CLS]", "in"}},
             {"in \xff\xfein \xc3", {"in", "in"}},
         })
        BOOST_TEST(pieces_of(text) == pieces, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_word_of_more_than_100_characters_is_unknown) {
    const std::string most = "in" + std::string(98, 'i');
    BOOST_TEST(pieces_of(most).size() == 99U);
    BOOST_TEST(pieces_of(most + "i") == std::vector<std::string>{"[UNK]"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_long_text_is_cut_before_the_last_piece) {
    BOOST_TEST(pieces_of("in ! in ! in", 5) == (std::vector<std::string>{"in", "!", "in"}),
               boost::test_tools::per_element());
    BOOST_TEST(pieces_of("in ! in", 5).size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_vocabulary_has_the_special_pieces_and_each_piece_once) {
    using data::message_contains;
    BOOST_CHECK_EXCEPTION(WordPiece(""), std::invalid_argument, message_contains({"[PAD]"}));
    BOOST_CHECK_EXCEPTION(WordPiece("[PAD]\n[UNK]\n[CLS]\n[SEP]\n"), std::invalid_argument,
                          message_contains({"line 4", "[MASK]"}));
    BOOST_CHECK_EXCEPTION(WordPiece(kPieces + "in\n"), std::invalid_argument,
                          message_contains({"line 20", "\"in\""}));
    // Lines may end as on Windows, and the last one without an end.
    BOOST_TEST(WordPiece("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]").size() == 5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::search
