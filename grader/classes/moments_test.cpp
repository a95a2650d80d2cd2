#include "grader/classes/moments.h"

#include <boost/test/unit_test.hpp>

#include "grader/base/errors.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(moments)

BOOST_AUTO_TEST_CASE(zones_are_converted_to_utc) {
    for (const char* text : {"2026-11-20T23:59:00+01:00", "2026-11-20 22:59:00 UTC", "2026-11-20T22:59Z",
                             "2026-11-20T17:29:00.25-0530"})
        BOOST_TEST(moment_text(read_moment(text)) == "2026-11-20T22:59:00Z", text);
    BOOST_TEST(read_moment("1970-01-02T00:00:01Z") == 86401);
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused) {
    for (const char* text : {"", "yesterday", "2026-11-20", "2026-11-20T23:59:00", "2026-02-30T10:00Z",
                             "2026-13-01T10:00Z", "2026-11-20T25:00Z", " 2026-11-20T22:59Z"})
        BOOST_CHECK_THROW(read_moment(text), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
