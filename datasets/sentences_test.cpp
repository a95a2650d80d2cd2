#include "datasets/sentences.h"

#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"

using attn::Array;
using attn::Shape;
using attn::data::embed;
using attn::data::FileError;
using attn::data::find_sentence;
using attn::data::message_contains;
using attn::data::read_sentences;
using attn::data::Sentence;
using attn::data::TemporaryDirectory;
using attn::data::tokens;

BOOST_AUTO_TEST_SUITE(sentences)

namespace {

using Words = std::vector<std::string>;

std::filesystem::path shipped_file() {
    return attn::data::shipped("lecture_sentences.txt");
}

std::vector<Sentence> read_text(const std::string& text) {
    const TemporaryDirectory folder;
    return read_sentences(folder.write("x.txt", text));
}

Words words_of(const std::string& text) {
    return tokens({"x", "en", text});
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_sentences_of_the_lectures_are_read) {
    const std::vector<Sentence> all = read_sentences(shipped_file());
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"think", "I think therefore I am"},
        {"like", "I like machine learning"},
        {"network", "I am not just a neural network"},
        {"person", "the person ate a fish."},
        {"animal", "The animal didn't cross the street because it was too tired"},
        {"agreement_en", "The agreement on the European Economic Area was signed in August 1992."},
        {"agreement_fr",
         "L'accord sur la zone \xc3\xa9"
         "conomique europ\xc3\xa9"
         "enne a \xc3\xa9t\xc3\xa9 sign\xc3\xa9 en ao\xc3\xbbt 1992."},
        {"bread_en", "we are eating bread"},
        {"bread_es", "estamos comiendo pan"},
        {"seat", "take a seat , have a drink"},
        {"hungry_en", "I am hungry"},
        {"hungry_fr", "J' ai faim"},
        {"dog", "A dog is standing on a hardwood floor."},
        {"stop_sign", "A stop sign is on a road with a mountain in the background."},
        {"boat", "A group of people sitting on a boat in the water."},
        {"giraffe", "A giraffe standing in a forest with trees in the background."},
        {"artist", "pop artist performs at the festival in a city."},
        {"debris", "a worker helps to clear the debris."},
        {"sofa", "blue sofa in the living room."},
        {"apple", "Steve Jobs founded Apple"},
    };
    BOOST_REQUIRE(all.size() == expected.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
        BOOST_TEST(all[k].name == expected[k].first);
        BOOST_TEST(all[k].text == expected[k].second);
    }
    BOOST_TEST(find_sentence(all, "think").language == "en");
    BOOST_TEST(find_sentence(all, "agreement_fr").language == "fr");
    BOOST_TEST(find_sentence(all, "bread_es").language == "es");
}

BOOST_AUTO_TEST_CASE(comments_and_empty_lines_are_skipped) {
    const std::vector<Sentence> all = read_text("# a\tb\tc\n\nx\ten\tOne # two\r\n#\ny\tfr\tDeux");
    BOOST_REQUIRE(all.size() == 2U);
    BOOST_TEST(all[0].text == "One # two");
    BOOST_TEST(all[1].name == "y");
    BOOST_TEST(all[1].language == "fr");
    BOOST_TEST(all[1].text == "Deux");
}

BOOST_AUTO_TEST_CASE(a_bad_line_is_named) {
    for (const auto& [line, complaint] : std::vector<std::pair<std::string, std::string>>{
             {"y en Two", "line 3 has 1 fields"},
             {"y\tTwo", "line 3 has 2 fields"},
             {"y\ten\tTwo\t", "line 3 has 4 fields"},
             {"y\t\tTwo", "line 3 has an empty field"},
             {"y\ten\t ", "line 3 has an empty field"},
             {"x\ten\tTwo", "line 3: the name \"x\" occurs a second time"}})
        BOOST_TEST_CONTEXT(line) {
            BOOST_CHECK_EXCEPTION(read_text("# first\nx\ten\tOne\n" + line + "\n"), FileError,
                                  message_contains({"x.txt: ", complaint}));
        }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_refused) {
    for (const std::string bytes : {"\xe9t\xe9", "\xc3", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                                    "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xff", "\xe2\x82"})
        BOOST_CHECK_EXCEPTION(read_text("x\tfr\t" + bytes + "\n"), FileError,
                              message_contains({"line 1", "UTF-8", "\\x"}));
    const std::string longest = "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\x88 \xf4\x8f\xbf\xbf";
    BOOST_TEST(read_text("x\tfr\t" + longest).at(0).text == longest);
}

BOOST_AUTO_TEST_CASE(a_file_without_a_sentence_is_refused) {
    BOOST_CHECK_EXCEPTION(read_text(""), FileError, message_contains({"no sentence"}));
    BOOST_CHECK_EXCEPTION(read_text("# nothing\n"), FileError, message_contains({"no sentence"}));
    BOOST_CHECK_EXCEPTION(read_sentences("/no/such.txt"), FileError,
                          message_contains({"/no/such.txt", "no such file"}));
}

BOOST_AUTO_TEST_CASE(an_unknown_name_lists_those_that_exist) {
    const std::vector<Sentence> all = read_text("x\ten\tOne\ny\ten\tTwo\n");
    BOOST_CHECK_EXCEPTION(find_sentence(all, "z"), std::invalid_argument,
                          message_contains({"\"z\"", "x, y"}));
    BOOST_CHECK_EXCEPTION(find_sentence({}, "z"), std::invalid_argument, message_contains({"none"}));
}

BOOST_AUTO_TEST_CASE(tokens_are_words_and_the_last_full_stop) {
    const auto per_element = boost::test_tools::per_element();
    BOOST_TEST(words_of("I think therefore I am") == (Words{"I", "think", "therefore", "I", "am"}),
               per_element);
    BOOST_TEST(words_of(" August\t1992. ") == (Words{"August", "1992", "."}), per_element);
    BOOST_TEST(words_of("take a seat , have") == (Words{"take", "a", "seat", ",", "have"}), per_element);
    BOOST_TEST(words_of("v1.0 e.g. J' didn't") == (Words{"v1.0", "e.g.", "J'", "didn't"}), per_element);
    BOOST_TEST(words_of("end .") == (Words{"end", "."}), per_element);
    BOOST_TEST(words_of("ao\xc3\xbbt\xc2\xa0x") == (Words{"ao\xc3\xbbt\xc2\xa0x"}), per_element);
    BOOST_TEST(words_of("").empty());
}

/// The expected values are from an implementation in another language, whose FNV-1a and splitmix64 agree with
/// their published test vectors.
BOOST_AUTO_TEST_CASE(embeddings_have_the_same_bits_everywhere) {
    const Array X = embed({"I", "am", "sign\xc3\xa9", "."}, 3);
    BOOST_TEST(X.name == "X");
    BOOST_TEST(X.shape == (Shape{1, 4, 3}), boost::test_tools::per_element());
    const std::vector<float> expected = {0x1.47199ep-2F, 0x1.16566ap+0F, -0x1.797d8p+0F, 0x1.f8c18ap-1F,
                                         0x1.2eb8d2p+0F, 0x1.ac9500p-1F, 0x1.7e242ep+0F, -0x1.7ef992p-1F,
                                         0x1.209c86p-3F, 0x1.14b90ap-1F, 0x1.1e53b2p+0F, 0x1.89ae0ep-1F};
    BOOST_TEST(X.as<float>() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(equal_tokens_have_equal_rows_and_others_differ) {
    const Array X = embed(words_of("I think therefore I am"), 16);
    const auto row = [&](std::ptrdiff_t n) {
        return std::vector<float>(X.as<float>().begin() + 16 * n, X.as<float>().begin() + 16 * (n + 1));
    };
    BOOST_TEST(row(0) == row(3), boost::test_tools::per_element());
    BOOST_TEST((std::set<std::vector<float>>{row(0), row(1), row(2), row(4)}.size()) == 4U);
    BOOST_TEST(embed({"am"}, 16).as<float>() == row(4), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(fewer_features_are_the_first_of_more) {
    const std::vector<float> all = embed({"I"}, 512).as<float>();
    BOOST_TEST(embed({"I"}, 2).as<float>() == (std::vector<float>(all.begin(), all.begin() + 2)),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(embeddings_have_mean_0_and_variance_1) {
    const std::vector<float> X = embed(words_of("I am not just a neural network"), 4096).as<float>();
    const auto n = static_cast<double>(X.size());
    double sum = 0;
    double squares = 0;
    for (const float x : X) {
        BOOST_REQUIRE((x >= -1.7320509F && x < 1.7320509F));
        sum += double{x};
        squares += double{x} * double{x};
    }
    BOOST_TEST(std::abs(sum / n) <= 0.03);
    BOOST_TEST(std::abs(squares / n - 1) <= 0.03);
}

BOOST_AUTO_TEST_CASE(the_smallest_sizes_are_checked) {
    BOOST_TEST(embed({}, 4).shape == (Shape{1, 0, 4}), boost::test_tools::per_element());
    BOOST_CHECK_EXCEPTION(embed({"I"}, 0), std::invalid_argument, message_contains({"D is 0"}));
}

BOOST_AUTO_TEST_SUITE_END()
