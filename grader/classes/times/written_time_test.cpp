#include "grader/classes/times/written_time.h"

#include <boost/test/unit_test.hpp>

#include "grader/base/errors.h"
#include "grader/testing/course_zone.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(written_time)

std::string read(const std::string& text, DateOrder order = DateOrder::unknown) {
    try {
        return moment_text(read_written_time(text, order));
    } catch (const UserError& error) {
        return error.what();
    }
}

/// 'strftimedaydatetime' of Moodle's language packs, for one moment.
BOOST_AUTO_TEST_CASE(moodles_times_are_read_in_the_languages_of_its_sites) {
    const CourseZone zone;
    for (const char* text : {"Friday, 20 November 2026, 11:30 PM",
                             "Friday, November 20, 2026, 11:30 PM",
                             "Friday, 20 November 2026, 11:30\u202fPM",
                             "Freitag, 20. November 2026, 23:30",
                             "vendredi 20 novembre 2026, 23:30",
                             "vendredi 20 novembre 2026 à 23h30",
                             "viernes, 20 de noviembre de 2026, 23:30",
                             "viernes, 20 de noviembre de 2026, 11:30 p. m.",
                             "divendres, 20 de novembre 2026, 23:30",
                             "venerdì, 20 novembre 2026, 23:30",
                             "sexta-feira, 20 de novembro de 2026 às 23:30",
                             "vrijdag, 20 november 2026, 23:30",
                             "fredag, 20 november 2026, 11:30 em",
                             "fredag den 20. november 2026, 23:30",
                             "perjantaina 20. marraskuuta 2026, 23.30",
                             "piątek, 20 listopada 2026, 23:30",
                             "pátek, 20. listopadu 2026, 23.30",
                             "2026. november 20., péntek, 23:30",
                             "Cuma, 20 Kasım 2026, 23:30",
                             "Παρασκευή, 20 Νοεμβρίου 2026, 11:30 μ.μ.",
                             "пятница, 20 ноября 2026, 23:30",
                             "2026年11月20日 星期五 23:30",
                             "2026年 11月 20日(金曜日) 23:30"})
        BOOST_TEST(read(text) == "2026-11-20T23:30:00+01:00", text);
    BOOST_TEST(read("Sonntag, 1. März 2026, 00:05") == "2026-03-01T00:05:00+01:00");
    BOOST_TEST(read("Monday, 20 July 2026, 12:05 AM") == "2026-07-20T00:05:00+02:00");
    BOOST_TEST(read("Monday, 20 July 2026, 12:05 PM") == "2026-07-20T12:05:00+02:00");
}

BOOST_AUTO_TEST_CASE(spreadsheets_times_are_read) {
    const CourseZone zone;
    for (const char* text : {"2026-11-20 23:30", "2026-11-20T23:30:00+01:00", "2026-11-20 22:30:00 UTC",
                             "2026-11-20 23:30:00 +0100", "20.11.2026 23:30", "20.11.2026, 23:30:00",
                             "20-Nov-2026 23:30", "2026/11/20 23:30"})
        BOOST_TEST(read(text) == "2026-11-20T23:30:00+01:00", text);
    BOOST_TEST(read("11/20/2026 11:30 PM", DateOrder::month_first) == "2026-11-20T23:30:00+01:00");
    BOOST_TEST(read("05/11/2026 23:30", DateOrder::day_first) == "2026-11-05T23:30:00+01:00");
}

BOOST_AUTO_TEST_CASE(nothing_is_guessed) {
    const CourseZone zone;
    const std::vector<std::pair<const char*, const char*>> refused = {
        {"", "no time of the day"},
        {"Friday, 20 November 2026", "no time of the day"},
        {"ostiral, 2026(e)ko azaroaren 20(a), 23:30", "is not known"},
        {"Saturday, 20 November 2026, 11:30 PM", "the weekday is not that of the date"},
        {"Friday, 20 November 2026, 11:30 XM", "the word 'xm' is not known"},
        {"Friday, 20 November 2026, 13:30 PM", "there is no such hour"},
        {"Friday, 20 November 2026, 11:30 \ufffd\ufffd", "is not known"},
        {"Friday, 20 November 2026, 11:30 \xff\xfe", "is not known"},
        {"Friday, 20 November 26, 23:30", "four digits"},
        {"05/11/2026 23:30", "cannot be told apart"},
        {"20 October November 2026, 23:30", "one too many"},
        {"31 November 2026, 23:30", "no such date"},
        {"20 November 2026, 23:61", "no such date or time"},
        {"29 March 2026, 02:30", "put forward"}};
    for (const auto& [text, why] : refused)
        BOOST_TEST(read(text).find(why) != std::string::npos, text << ": " << read(text));
    const std::string longest(100000, '1');
    BOOST_TEST(read(longest).find("too long") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_order_of_a_date_is_that_of_its_column) {
    using enum DateOrder;
    BOOST_TEST((date_order_of({"05/11/2026 23:30", "20/11/2026 9:00"}) == day_first));
    BOOST_TEST((date_order_of({"05/11/2026 23:30", "11/20/2026 9:00"}) == month_first));
    BOOST_TEST((date_order_of({"05/11/2026 23:30"}) == unknown));
    BOOST_TEST((date_order_of({"20/11/2026 23:30", "11/20/2026 9:00"}) == unknown));
}

BOOST_AUTO_TEST_CASE(a_time_without_a_zone_needs_that_of_the_course) {
    BOOST_TEST(read("Friday, 20 November 2026, 11:30 PM").find("zone = \"Europe/Berlin\"") !=
               std::string::npos);
    const CourseZone zone("America/New_York");
    BOOST_TEST(read("Friday, 20 November 2026, 11:30 PM") == "2026-11-20T23:30:00-05:00");
    // Clocks show this hour twice; the first counts.
    BOOST_TEST(read("2026-11-01 01:30") == "2026-11-01T01:30:00-04:00");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
