#include "datasets/prose.h"

#include <cstddef>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/alphabet.h"
#include "datasets/files/file_error.h"
#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/shipped.h"

namespace attn::data {

BOOST_AUTO_TEST_SUITE(prose)

BOOST_AUTO_TEST_CASE(the_shipped_book_is_read) {
    const std::string book = shipped_text();
    BOOST_TEST(book.size() == 143041U);
    BOOST_TEST(
        book.starts_with("CHAPTER I\n\nDown the Rabbit-Hole\n\nAlice was beginning to get very tired"));
    BOOST_TEST(book.ends_with("and the happy summer days.\n\nTHE END\n"));
    BOOST_TEST(Alphabet(book).size() == 69);
    std::size_t chapters = 0;
    for (std::size_t at = 0; (at = book.find("CHAPTER ", at)) != std::string::npos; ++at) ++chapters;
    BOOST_TEST(chapters == 12U);
}

BOOST_AUTO_TEST_CASE(a_page_is_whole_paragraphs) {
    const std::string page = page_of_text();
    BOOST_TEST(
        page.starts_with("Alice was beginning to get very tired of sitting by her sister\non the bank"));
    BOOST_TEST(page.ends_with(".\n"));
    BOOST_TEST(page.size() > 1700U);
    BOOST_TEST(page.size() < 2500U);
    BOOST_TEST(shipped_text().find(page) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(line_ends_of_windows_become_plain_ones) {
    const TemporaryDirectory folder;
    BOOST_TEST(read_text(folder.write("x", "one\r\ntwo\r\n\r\n")) == "one\ntwo\n\n");
}

BOOST_AUTO_TEST_CASE(other_characters_are_refused_with_their_line) {
    const TemporaryDirectory folder;
    BOOST_CHECK_EXCEPTION(read_text(folder.write("x", "one\ntw\xc3\xb6\n")), FileError,
                          message_contains({"x: line 2 has the character \"\\xc3\"", "iconv"}));
    BOOST_CHECK_EXCEPTION(read_text(folder.write("x", "a\tb")), FileError,
                          message_contains({"line 1", "\"\\x09\""}));
    BOOST_CHECK_EXCEPTION(read_text(folder.write("x", "a\rb")), FileError,
                          message_contains({"line 1", "\"\\x0d\""}));
    BOOST_CHECK_EXCEPTION(read_text(folder.write("x", "")), FileError, message_contains({"no character"}));
    BOOST_CHECK_EXCEPTION(read_text(folder / "y"), FileError, message_contains({"no such file"}));
}

BOOST_AUTO_TEST_CASE(a_truncated_book_is_refused) {
    const TemporaryDirectory folder;
    const std::string bytes = read_file(shipped("alice.txt.gz"));
    BOOST_CHECK_EXCEPTION(read_text(folder.write("x.gz", bytes.substr(0, bytes.size() - 1))), FileError,
                          message_contains({"truncated"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::data
