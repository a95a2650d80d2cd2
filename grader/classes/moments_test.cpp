#include "grader/classes/moments.h"

#include <cstdlib>
#include <ctime>

#include <boost/test/unit_test.hpp>

#include "grader/base/errors.h"
#include "grader/testing/course_zone.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(moments)

BOOST_AUTO_TEST_CASE(zones_are_converted_to_utc) {
    for (const char* text : {"2026-11-20T23:59:00+01:00", "2026-11-20 22:59:00 UTC", "2026-11-20T22:59Z",
                             "2026-11-20T17:29:00.25-0530"})
        BOOST_TEST(moment_text(read_moment(text)) == "2026-11-20T22:59:00Z", text);
    BOOST_TEST(read_moment("1970-01-02T00:00:01Z") == 86401);
}

BOOST_AUTO_TEST_CASE(times_are_those_of_the_course_and_never_of_the_machine) {
    setenv("TZ", "America/New_York", 1);
    tzset();
    BOOST_TEST(moment_text(read_moment("2026-07-01T12:00Z")) == "2026-07-01T12:00:00Z");
    {
        const CourseZone zone;
        BOOST_TEST(moment_text(read_moment("2026-07-01T12:00Z")) == "2026-07-01T14:00:00+02:00");
        BOOST_TEST(moment_text(read_moment("2026-11-20 23:59")) == "2026-11-20T23:59:00+01:00");
        // Clocks go back at 3:00 on 25 October, and forward at 2:00 on 29 March.
        BOOST_TEST(moment_text(read_moment("2026-10-25 02:30")) == "2026-10-25T02:30:00+02:00");
        BOOST_TEST(moment_text(read_moment("2026-10-25 03:00")) == "2026-10-25T03:00:00+01:00");
        BOOST_CHECK_THROW(read_moment("2026-03-29 02:30"), UserError);
        BOOST_TEST(moment_text(read_moment("2026-03-29 03:00")) == "2026-03-29T03:00:00+02:00");
    }
    const CourseZone west("America/St_Johns");
    BOOST_TEST(moment_text(read_moment("2026-11-20 23:59")) == "2026-11-20T23:59:00-03:30");
}

BOOST_AUTO_TEST_CASE(a_zone_that_there_is_not_is_refused) {
    for (const char* name :
         {"Europe/Atlantis", "../../../etc/passwd", "Europe", "/etc/localtime", "CET CEST", "+01:00"})
        BOOST_CHECK_THROW(use_course_zone(name), UserError);
    BOOST_TEST(course_zone() == "");
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused) {
    for (const char* text : {"", "yesterday", "2026-11-20", "2026-11-20T23:59:00", "2026-02-30T10:00Z",
                             "2026-13-01T10:00Z", "2026-11-20T25:00Z", " 2026-11-20T22:59Z"})
        BOOST_CHECK_THROW(read_moment(text), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
