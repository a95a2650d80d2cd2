// Weaving listed mistakes into a small source. grader/ask/edited_test.cpp runs woven code.

#include "grader/edits/weave.h"

#include <sstream>

#include <boost/test/unit_test.hpp>

#include "grader/edits/listed.h"

namespace attn::edits {
BOOST_AUTO_TEST_SUITE(weave)
namespace {

const std::string kSource = R"(#include <cmath>

namespace attn::cpu {
namespace {

/// y += x c
template <class T>
void add_times(TensorView<T, 1> y, TensorView<const T, 1> x, T c) {
    for (int k = 0; k < x.size(0); ++k) y(k) += x(k) * c;
}

}  // namespace

template <class T>
void combine(TensorView<T, 1> y, TensorView<const T, 1> x) {
    for (int k = 0; k < y.size(0); ++k) y(k) = 0;  // a comment
    add_times<T>(y, x, 1);
    const int n = x.size(0);
    if (n > 2) add_times<T>(y, x, 2 * n);
}

}  // namespace attn::cpu
)";

std::string mistake(const std::string& name, const std::string& edits) {
    return "[[mistake]]\nname = \"" + name + "\"\nwhen = \"w\"\nhint = \"h\"\nedits = [" + edits + "]\n";
}

/// The woven file, without line directives and with single spaces.
std::string woven(const std::string& toml) {
    Program program;
    program.add("reference/x.cpp", tokens_of(program.words(), "reference/x.cpp", kSource));
    std::istringstream lines(woven_source(program, "reference/x.cpp", {{"reference/x.cpp", kSource}},
                                          {"m.toml", read_listed("m.toml", toml)}));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#line")) continue;
        std::istringstream words(line);
        for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

bool holds(const std::string& toml, const std::string& part) {
    const std::string text = woven(toml);
    BOOST_TEST_MESSAGE(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_edited_expression_has_a_switch) {
    BOOST_TEST(
        holds(mistake("a", R"e(["add_times", "* c", "/ c"])e"), "(made(0) ? ( x(k) / c) : ( x(k) * c))"));
}

BOOST_AUTO_TEST_CASE(an_edit_means_what_it_means_in_the_text) {
    // x + 1 * c is not (x + 1) * c.
    BOOST_TEST(holds(mistake("a", R"e(["add_times", "x(k) *", "x(k) + 1 *"])e"),
                     "(made(0) ? ( x(k) + 1 * c) : ( x(k) * c))"));
}

BOOST_AUTO_TEST_CASE(a_statement_has_a_switch) {
    BOOST_TEST(holds(mistake("a", R"e(["combine", "add_times<T>(y, x, 1);", ""])e"),
                     "{ if (made(0)) { } else { add_times<T>(y, x, 1); } }"));
    BOOST_TEST(holds(
        mistake("a", R"e(["combine", "if (n > 2)", ""])e"),
        "{ if (made(0)) { add_times<T>(y, x, 2 * n); } else { if (n > 2) add_times<T>(y, x, 2 * n); }"));
}

BOOST_AUTO_TEST_CASE(what_an_edit_declares_is_known_to_the_end) {
    BOOST_TEST(
        holds(mistake("a", R"e(["combine", "const int n", "const int m = 3; const int n"])e"),
              "{ if (made(0)) { const int m = 3; const int n = x.size(0); if (n > 2) add_times<T>(y, x, 2 * "
              "n); } else { const int n"));
}

BOOST_AUTO_TEST_CASE(an_edit_at_one_call_is_made_there_alone) {
    const std::string one = mistake("a", R"e(["add_times", "* c", "", "combine: add_times<T>(y, x, 1)"])e");
    BOOST_TEST(holds(one, "(made(0, 1) ? ( x(k)) : ( x(k) * c))"));
    BOOST_TEST(holds(one,
                     "void add_times_at_1(TensorView<T, 1> y, TensorView<const T, 1> x, T c) { const "
                     "woven::Site woven_site(1); return add_times<T>(y, x, c); }"));
    BOOST_TEST(holds(one, "add_times_at_1<T>(y, x, 1); const int n = x.size(0); if (n > 2) add_times<T>(y"));
}

BOOST_AUTO_TEST_CASE(two_mistakes_are_combined_where_their_edits_allow_it) {
    const std::string factor = mistake("a", R"e(["add_times", "* c", "/ c"])e"),
                      index = mistake("b", R"e(["add_times", "x(k)", "x(0)"])e"),
                      product = mistake("c", R"e(["add_times", "x(k) * c", "c * x(k) * c"])e"),
                      other_product = mistake("d", R"e(["add_times", "x(k) * c", "c - 1"])e"),
                      same_factor = mistake("e", R"e(["add_times", "x(k) * c", "x(k) / c"])e");
    const auto conflict = [](const std::string& toml) {
        return !holds(toml, "kConflicts[] = { {-1, -1}, };");
    };
    BOOST_TEST(!conflict(factor + index));
    BOOST_TEST(holds(factor + index, "(made(0) ? ( x( (made(1) ? ( 0) : ( k))) / c) : "));
    // The text of the inner edit stands in the outer one, too.
    BOOST_TEST(!conflict(index + product));
    BOOST_TEST(conflict(index + other_product));
    BOOST_TEST(conflict(product + other_product));
    BOOST_TEST(!conflict(factor + same_factor));
}

BOOST_AUTO_TEST_CASE(a_wrong_edit_is_refused_with_its_line) {
    const auto refused = [](const std::string& edit, const std::string& message) {
        BOOST_CHECK_EXCEPTION(woven(mistake("a", "\n" + edit)), SourceError, [&](const auto& error) {
            BOOST_TEST_MESSAGE(error.what());
            return std::string(error.what()).find(message) != std::string::npos;
        });
    };
    refused(R"e(["combine", "add_times", "y"])e", "m.toml:6: mistake a: ");
    refused(R"e(["combine", "add_times", "y"])e", "'add_times' occurs 2 times in combine()");
    refused(R"e(["combine", "z", "y"])e", "'z' occurs 0 times in combine()");
    refused(R"e(["combin", "z", "y"])e", "m.toml:6: mistake a: ");
    refused(R"e(["combine", "n > 2", "n > 2"])e", "found an edit that changes nothing");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::edits
