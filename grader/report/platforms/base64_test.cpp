#include "grader/report/platforms/base64.h"

#include <string>

#include <boost/test/unit_test.hpp>

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(base64)

using std::string_literals::operator""s;

BOOST_AUTO_TEST_CASE(the_vectors_of_rfc_4648) {
    BOOST_TEST(report::base64("") == "");
    BOOST_TEST(report::base64("f") == "Zg==");
    BOOST_TEST(report::base64("fo") == "Zm8=");
    BOOST_TEST(report::base64("foo") == "Zm9v");
    BOOST_TEST(report::base64("foob") == "Zm9vYg==");
    BOOST_TEST(report::base64("fooba") == "Zm9vYmE=");
    BOOST_TEST(report::base64("foobar") == "Zm9vYmFy");
}

BOOST_AUTO_TEST_CASE(bytes_of_any_value) {
    BOOST_TEST(report::base64("\0\xff\x10\x80"s) == "AP8QgA==");
    BOOST_TEST(report::base64("\xfb\xff\xbf"s) == "+/+/");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
