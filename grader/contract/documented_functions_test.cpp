#include "grader/contract/documented_functions.h"

#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/contract/contract.h"

namespace attn::contract {
namespace {

const std::string kHelpers = R"(#pragma once
/// Helpers for tests,
/// in two lines.

#include <vector>
#include "grader/ask/dims.h"

namespace attn::ask {

using Lines = std::vector<std::string>;  ///< of a text

/// A sum. (Its parentheses
/// close.)
template <class T>
int sum(const std::vector<T>& values,
        const std::function<double(double)>& f = {});

/// Two of a kind.
Array& pick(Arrays& all);
const Array& pick(const Arrays& all) {
    if (all.empty()) { throw 1; }
    return all[0];
}

void undocumented();

/// A type.
struct Pair {
    int first() const;
};
void behind_a_type();

/// A number.
constexpr int kTwo = twice(1);

}  // namespace attn::ask
)";

BOOST_AUTO_TEST_SUITE(documented_functions)

BOOST_AUTO_TEST_CASE(functions_with_a_comment_are_listed) {
    const HelperHeader header = read_helpers("grader/ask/x.h", kHelpers);
    BOOST_TEST(header.about == " Helpers for tests,\n in two lines.");
    BOOST_REQUIRE_EQUAL(header.functions.size(), 2U);
    BOOST_TEST(text_of({header, {"empty.h", "", {}}}) ==
               "grader/ask/x.h\n"
               "  Helpers for tests,\n"
               "  in two lines.\n"
               "    template <class T> int sum(const std::vector<T>& values, const "
               "std::function<double(double)>& f = {})\n"
               "        A sum. (Its parentheses\n"
               "        close.)\n"
               "    Array& pick(Arrays& all)\n"
               "    const Array& pick(const Arrays& all)\n"
               "        Two of a kind.\n");
}

BOOST_AUTO_TEST_CASE(a_header_that_does_not_end_is_an_error) {
    for (const char* text : {"namespace attn", "int f(int x", "int f()", "int f() {"})
        BOOST_CHECK_THROW(read_helpers("x.h", text), ContractError);
}

BOOST_AUTO_TEST_CASE(the_source_holds_the_text) {
    BOOST_TEST(helper_source("a \"b\"\n").find("R\"helpers(a \"b\"\n)helpers\"") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::contract
