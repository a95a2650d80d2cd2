// Text of a student's program becomes valid UTF-8 that cannot control a terminal or break a format.

#include "grader/report/text.h"

#include <string>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(text)

using namespace std::string_literals;

/// A text and its cleaned form.
struct Cleaning {
    std::string what, text, cleaned;
    friend std::ostream& operator<<(std::ostream& out, const Cleaning& cleaning) {
        return out << cleaning.what;
    }
};

const std::vector<Cleaning> kCleanings = {
    {"nothing", "", ""},
    {"plain text", "a b\tc\nd~", "a b\tc\nd~"},
    {"two, three and four bytes", "\u00e9\u20ac\U0001f600", "\u00e9\u20ac\U0001f600"},
    {"first and last of each length", "\u00a0\u07ff\u0800\ud7ff\ue000\ufffd\U00010000\U0010ffff",
     "\u00a0\u07ff\u0800\ud7ff\ue000\ufffd\U00010000\U0010ffff"},
    {"colour", "\x1b[31mred\x1b[0m", "?[31mred?[0m"},
    {"title of the window", "\x1b]0;pwned\x07", "?]0;pwned?"},
    {"nul", "a\0b"s, "a?b"},
    {"carriage return and backspace", "wrong\rright\b\b", "wrong?right??"},
    {"delete", "\x7f", "?"},
    {"every other control", "\x01\x02\x08\x0b\x0c\x0e\x1f", "???????"},
    {"C1 control, two bytes", "\xc2\x9b"s + "31m \xc2\x80 \xc2\x9f", "?31m ? ?"},
    {"C1 control, one byte", "\x9b"s + "31m", "?31m"},
    {"lone continuation", "a\x80z\xbf", "a?z?"},
    {"overlong, two bytes", "\xc0\x80 \xc1\xbf \xc0\xaf", "?? ?? ??"},
    {"overlong, three bytes", "\xe0\x80\x80 \xe0\x9f\xbf", "??? ???"},
    {"overlong, four bytes", "\xf0\x80\x80\x80 \xf0\x8f\xbf\xbf", "???? ????"},
    {"surrogates", "\xed\xa0\x80 \xed\xbf\xbf", "??? ???"},
    {"above U+10FFFF", "\xf4\x90\x80\x80 \xf5\x80\x80\x80", "???? ????"},
    {"bytes that never stand in UTF-8", "\xfe\xff", "??"},
    {"code points that XML does not allow", "\xef\xbf\xbe \xef\xbf\xbf", "??? ???"},
    {"cut in the middle, at the end", "a\xe2\x82", "a??"},
    {"cut in the middle, text goes on", "\xe2\x82z \xf0\x9f\x98z \xc3z", "??z ???z ?z"},
    {"a good character after a bad byte", "\xff\u20ac", "?\u20ac"},
    {"line and paragraph separators", "a\u2028b\u2029c", "a?b?c"},
    // NOLINTNEXTLINE(misc-misleading-bidirectional): clean() removes these characters
    {"characters that change the writing direction", "\u202ea\u202ab\u2066c\u2069d", "?a?b?c?d"},
    {"the code points next to those", "\u2027\u202f\u2065\u206a", "\u2027\u202f\u2065\u206a"},
};

BOOST_DATA_TEST_CASE(text_is_cleaned, boost::unit_test::data::make(kCleanings), cleaning) {
    BOOST_TEST(clean(cleaning.text) == cleaning.cleaned);
    BOOST_TEST(clean(cleaning.cleaned) == cleaning.cleaned);
}

BOOST_AUTO_TEST_CASE(every_single_byte_is_kept_or_replaced) {
    for (int byte = 0; byte < 256; ++byte) {
        const std::string one(1, static_cast<char>(byte));
        const bool good = (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t';
        BOOST_TEST_CONTEXT("byte " << byte) BOOST_TEST(clean(one) == (good ? one : "?"));
    }
}

BOOST_AUTO_TEST_CASE(one_line_has_single_spaces_and_no_other_white_space) {
    BOOST_TEST(one_line(" a\n\n  b\tc ") == "a b c");
    BOOST_TEST(one_line("a\u00a0\u2003 \u3000b\u200bc") == "a b c");
    BOOST_TEST(one_line("\x1b[1m\r\n\xff") == "?[1m? ?");
    BOOST_TEST(one_line("\u00fc\u20ac") == "\u00fc\u20ac");
    BOOST_TEST(one_line("") == "");
}

BOOST_AUTO_TEST_CASE(no_line_is_a_command_for_a_build_server) {
    BOOST_TEST(without_commands("::error::x") == "| ::error::x");
    BOOST_TEST(without_commands("a\n \t\u00a0::notice file=b::x\nc") ==
               "a\n|  \t\u00a0::notice file=b::x\nc");
    BOOST_TEST(without_commands("std::vector") == "std::vector");
    BOOST_TEST(without_commands("a ##[error]x ##vso[task.x]y ###") == "a # #[error]x # #vso[task.x]y # # #");
    BOOST_TEST(without_commands("# a\n# b\n") == "# a\n# b\n");
    BOOST_TEST(without_commands("\n\na\n\n") == "\n\na\n\n");
    BOOST_TEST(without_commands("") == "");
}

BOOST_AUTO_TEST_CASE(printed_lines_are_quoted) {
    BOOST_TEST(quote_lines("a\n\n::error::b") == "| a\n| \n| | ::error::b\n");
    BOOST_TEST(quote_lines("\x1b[2K100 / 100\n") == "| ?[2K100 / 100\n");
    BOOST_TEST(quote_lines("") == "");
    BOOST_TEST(quote_lines(std::string(1000, 'x')) ==
               "| " + std::string(400, 'x') + " (and 600 more bytes)\n");
}

BOOST_AUTO_TEST_CASE(long_text_is_cut_between_characters) {
    BOOST_TEST(cut("abc", 3) == "abc");
    BOOST_TEST(cut("abcd", 3) == "abc (and 1 more bytes)");
    BOOST_TEST(cut("\u20ac\u20ac", 4) == "\u20ac (and 3 more bytes)");
    BOOST_TEST(cut("\u20ac", 2) == " (and 3 more bytes)");
}

BOOST_AUTO_TEST_CASE(two_hashes_are_not_a_command_in_xml) {
    BOOST_TEST(escape_xml("##[error]") == "#&#35;[error]");
}

BOOST_AUTO_TEST_CASE(xml_markup_is_escaped) {
    BOOST_TEST(escape_xml("a < b && c > \"d\"") == "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
    BOOST_TEST(escape_xml("]]>") == "]]&gt;");
    BOOST_TEST(escape_xml("</failure><failure message=\"\"/>") ==
               "&lt;/failure&gt;&lt;failure message=&quot;&quot;/&gt;");
    BOOST_TEST(escape_xml("&lt;&#10;") == "&amp;lt;&amp;#10;");
    BOOST_TEST(escape_xml("<![CDATA[x]]><!--") == "&lt;![CDATA[x]]&gt;&lt;!--");
    BOOST_TEST(escape_xml("it's") == "it's");
    BOOST_TEST(escape_xml("") == "");
}

BOOST_AUTO_TEST_CASE(line_feeds_and_tabs_are_kept_in_an_xml_attribute) {
    BOOST_TEST(escape_xml("a\nb\tc") == "a&#10;b&#9;c");
}

BOOST_AUTO_TEST_CASE(xml_text_is_cleaned_too) {
    BOOST_TEST(escape_xml("\x1b[1m\0\xff<\u20ac"s) == "?[1m??&lt;\u20ac");
}

BOOST_AUTO_TEST_CASE(first_lines_are_kept_with_a_note_on_the_rest) {
    BOOST_TEST(first_lines("a\nb\nc\n", 2) == "a\nb\n(and more)\n");
    BOOST_TEST(first_lines("a\nb\nc", 2) == "a\nb\n(and more)\n");
    BOOST_TEST(first_lines("a\nb\n", 2) == "a\nb\n");
    BOOST_TEST(first_lines("a\nb", 2) == "a\nb\n");
    BOOST_TEST(first_lines("a", 2) == "a\n");
    BOOST_TEST(first_lines("\n\n\n", 1) == "\n(and more)\n");
    BOOST_TEST(first_lines("", 2) == "");
    BOOST_TEST(first_lines("a\n", 0) == "(and more)\n");
}

BOOST_AUTO_TEST_CASE(long_lines_are_wrapped_between_words) {
    BOOST_TEST(wrapped("one two three", 7) == "one two\nthree");
    BOOST_TEST(wrapped("one two three", 6) == "one\ntwo\nthree");
    BOOST_TEST(wrapped("one two three", 13) == "one two three");
    BOOST_TEST(wrapped("", 4) == "");
}

BOOST_AUTO_TEST_CASE(a_word_longer_than_a_line_is_broken_between_characters) {
    BOOST_TEST(wrapped("toolongaword a b", 4) == "tool\nonga\nword\na b");
    BOOST_TEST(wrapped("\u20ac\u20ac\u20ac", 2) == "\u20ac\u20ac\n\u20ac");
    BOOST_TEST(wrapped("abc", 0) == "a\nb\nc");
}

BOOST_AUTO_TEST_CASE(colour_codes_take_no_columns) {
    BOOST_TEST(columns_of("\x1b[31mred\x1b[0m \u20ac") == 5U);
    BOOST_TEST(columns_of("\x1b[31") == 4U);
    BOOST_TEST(wrapped("\x1b[1mone\x1b[0m two", 7) == "\x1b[1mone\x1b[0m two");
}

BOOST_AUTO_TEST_CASE(a_line_is_shortened_between_words) {
    BOOST_TEST(shortened("one two three", 13) == "one two three");
    BOOST_TEST(shortened("one two three", 12) == "one two ..");
    BOOST_TEST(shortened("toolongaword", 6) == "too ..");
}

BOOST_AUTO_TEST_CASE(large_counts_are_said_as_people_say_them) {
    BOOST_TEST(times_in_words(2.345) == "2.35");
    BOOST_TEST(times_in_words(410) == "410");
    BOOST_TEST(times_in_words(410234) == "410000");
    BOOST_TEST(times_in_words(3890000) == "3.9 million");
    BOOST_TEST(times_in_words(38900000) == "39 million");
    BOOST_TEST(times_in_words(2.5e9) == "2.5 billion");
    BOOST_TEST(times_in_words(1e30) == "more than a trillion");
}

BOOST_AUTO_TEST_CASE(points_have_at_most_two_decimals) {
    BOOST_TEST(points(20) == "20");
    BOOST_TEST(points(100) == "100");
    BOOST_TEST(points(0) == "0");
    BOOST_TEST(points(10.0 / 3) == "3.33");
    BOOST_TEST(points(2.5) == "2.5");
    BOOST_TEST(points(1.999) == "2");
    BOOST_TEST(points(0.001) == "0");
    BOOST_TEST(points(1200) == "1200");
}

BOOST_AUTO_TEST_CASE(a_place_and_its_line_stand_in_one_line_if_they_fit) {
    const SourceTrace trace{
        "", {{"a.cpp", 23, "softmax", "float m = E(i + 1, 0);"}, {"a.cpp", 40, "g", "softmax();"}}};
    BOOST_TEST(in_words(trace, 80) ==
               "a.cpp:23, in softmax:   float m = E(i + 1, 0);\na.cpp:40, in g:   softmax();\n");
    BOOST_TEST(in_words(trace, 40) ==
               "a.cpp:23, in softmax:\n    float m = E(i + 1, 0);\na.cpp:40, in g:   softmax();\n");
    BOOST_TEST(in_words(trace, 25) ==
               "a.cpp:23, in softmax:\n    float m = E(i + 1, ..\na.cpp:40, in g:\n    softmax();\n");
    BOOST_TEST(first_place(trace) == " (a.cpp:23)");
    BOOST_TEST(first_place(std::nullopt) == "");
}

BOOST_AUTO_TEST_CASE(prose_is_wrapped_and_numbers_and_quotes_are_not) {
    BOOST_TEST(wrapped_prose("one two three\n  1   2   3   4\n| a quoted line\n\nend", 8) ==
               "one two\nthree\n  1   2   3   4\n| a quoted line\n\nend");
    BOOST_TEST(wrapped_prose("a b\n", 8) == "a b\n");
    BOOST_TEST(wrapped_prose("", 8) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
