// Words that were mistyped find the name that was meant, and other words find none.

#include "grader/base/closest_name.h"

#include <vector>

#include <boost/test/unit_test.hpp>

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(closest_name)

const std::vector<std::string> kNames{"softmax", "masked_softmax", "decode", "encode", "2.softmax.ragged"};

BOOST_AUTO_TEST_CASE(a_slip_of_the_fingers_finds_the_name) {
    for (const char* typed : {"sofmax", "softmx", "sooftmax", "SOFTMAX", "softmaz", "osftmax"})
        BOOST_TEST(closest(typed, kNames) == "softmax", typed);
    BOOST_TEST(closest("masked_softmx", kNames) == "masked_softmax");
    BOOST_TEST(closest("2.softmax.raged", kNames) == "2.softmax.ragged");
    BOOST_TEST(did_you_mean("decod", kNames) == " Did you mean decode?");
}

BOOST_AUTO_TEST_CASE(another_word_finds_nothing) {
    for (const char* typed : {"", "x", "de", "attention", "soft", "layer_norm"})
        BOOST_TEST(closest(typed, kNames) == "", typed);
    BOOST_TEST(did_you_mean("attention", kNames) == "");
    BOOST_TEST(closest("softmax", {}) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
