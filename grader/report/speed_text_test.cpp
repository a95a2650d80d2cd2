#include "grader/report/speed_text.h"

#include <algorithm>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "grader/report/terminal_report.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

BOOST_AUTO_TEST_SUITE(speed_text)

std::ptrdiff_t length(const Bar& bar) {
    return std::count(bar.bar.begin(), bar.bar.end(), '=');
}

BOOST_AUTO_TEST_CASE(bars_grow_with_the_logarithm_of_the_speed) {
    Speed speed;
    speed.yours_ms = 4;
    speed.plain_ms = 16;
    speed.yardstick_ms = 1;
    const auto bars = chart(speed);
    BOOST_REQUIRE(bars.size() == 3U);
    BOOST_TEST(bars.at(0).name == "yours      ");
    BOOST_TEST(length(bars.at(2)) == 32);
    // Four times the speed always adds the same length.
    BOOST_TEST(length(bars.at(0)) == 19);  // 3/5 of 32
    BOOST_TEST(length(bars.at(1)) == 6);   // 1/5
    for (const Bar& bar : bars) BOOST_TEST(bar.bar.size() == 32U);
    BOOST_TEST(bars.at(0).numbers == "       4 ms");
    speed.gflop = 0.02;
    BOOST_TEST(chart(speed).at(0).numbers == "       4 ms       5 GFLOP/s");
}

BOOST_AUTO_TEST_CASE(the_slowest_also_has_a_bar) {
    Speed speed;
    speed.yours_ms = 1e6;
    speed.plain_ms = 1e-3;
    speed.yardstick_ms = 1e-3;
    BOOST_TEST(length(chart(speed).at(0)) == 1);
    BOOST_TEST(length(chart(speed).at(1)) == 32);
    speed.yours_ms = speed.plain_ms;
    BOOST_TEST(length(chart(speed).at(0)) == 32);
}

BOOST_AUTO_TEST_CASE(an_invalid_time_has_no_bar) {
    Speed speed;
    speed.yours_ms = kNan;
    speed.plain_ms = -1;
    speed.yardstick_ms = kInf;
    for (const Bar& bar : chart(speed)) {
        BOOST_TEST(length(bar) == 0);
        BOOST_TEST(bar.numbers == "not measured");
    }
    speed.plain_ms = 2;
    BOOST_TEST(length(chart(speed).at(1)) == 32);
}

BOOST_AUTO_TEST_CASE(numbers_have_few_digits) {
    Speed speed;
    speed.times_plain = {6.284, 0.0614, 12.56};
    speed.times_yardstick = {123.4, 1e5, kNan};
    speed.share = 0.526;
    BOOST_TEST(
        in_words(speed) ==
        "6.28 times the plain loops (95 % interval 0.0614 to 12.6), 123 times the yardstick (100000 to "
        "?): 53 % of the points.");
    speed.share = kNan;
    BOOST_TEST(contains(in_words(speed), ": 0 % of the points."));
}

BOOST_AUTO_TEST_CASE(a_noisy_machine_is_mentioned) {
    Speed speed;
    BOOST_TEST(!contains(in_words(speed), "noisy"));
    speed.settled = false;
    BOOST_TEST(contains(in_words(speed),
                        "too noisy for a more precise result; the uncertainty counts in your favour."));
}

BOOST_AUTO_TEST_CASE(the_build_is_described_where_it_is_known) {
    BOOST_TEST(in_words(TimedBuild()) == "");
    const std::string text = in_words(make_speed().speed->build);
    BOOST_TEST(
        text ==
        "Your code, the plain loops and the yardstick all use the vector unit AVX2. Yours was compiled with "
        "`g++ -O3 -c x.cpp`. It may use: C++20; one thread.");
    BOOST_TEST(
        contains(measurement_text(make_speed()), "\nHow it was compiled:\nYour code, the plain loops"));
    std::ostringstream terminal;
    write_terminal(terminal, golden(), {});
    BOOST_TEST(contains(terminal.str(), "vector unit AVX2"));
}

BOOST_AUTO_TEST_CASE(growth_names_the_cost_and_the_limit) {
    // As in reports of earlier versions.
    const Growth one{"time", "N", {256, 2048}, {1, 9}, {1.06, 1.02, 1.1}, 1.2};
    BOOST_TEST(in_words(one) ==
               "Time grows as N^1.06 (95 % interval 1.02 to 1.10) for N = 256 .. 2048; N^1.2 is allowed.");
    const Growth batches{"memory", "B", {2, 16}, {1, 9}, {1.26, 1.1, 1.4}, 1.2};
    BOOST_TEST(in_words(batches) ==
               "Memory grows as B^1.26 (95 % interval 1.10 to 1.40) for B = 2 .. 16; B^1.2 is allowed.");
    BOOST_TEST(contains(in_words(Growth()), "grows as N^0.00"));
}

/// Linear plain loops, beside which the student's exponent is 0.9 more, and a time at the last length.
Check check_beside_plain(double above, double times_plain) {
    Check check = make_growth();
    check.growth = {{"time", "B", {2, 32}, {1, 9}, {1 + above, 1, 2}, 0.5, PlainGrowth{}}};
    check.growth[0].plain = {
        {1, 4}, {1, 0.9, 1.1}, {above, above, above}, {times_plain, times_plain, times_plain}, 12};
    return check;
}

BOOST_AUTO_TEST_CASE(time_stands_beside_that_of_the_plain_loops) {
    const Check grows = check_beside_plain(0.92, 8), slow = check_beside_plain(-0.03, 13.25),
                both = check_beside_plain(0.92, 13.25), right = check_beside_plain(-0.03, 8);
    const std::string
        last = "At B = 32 a call takes 13.2 times as long as the plain loops; 12 times is allowed.",
        growing =
            "Time grows as B^1.92 for B = 2 .. 32, the plain loops' as B^1.00. The difference "
            "is 0.92 (95 % interval 0.92 to 0.92); 0.5 is allowed.",
        linear =
            "Time grows as B^0.97 for B = 2 .. 32, the plain loops' as B^1.00. The difference "
            "is -0.03 (95 % interval -0.03 to -0.03); 0.5 is allowed.";
    BOOST_TEST(in_words(grows.growth[0]) == growing);
    BOOST_TEST(in_words(right.growth[0]) == linear);
    BOOST_TEST(in_words(slow.growth[0]) == last + " " + linear);  // the reason is first
    BOOST_TEST(in_words(both.growth[0]) == growing + " " + last);
    BOOST_TEST(measurement_summary(grows) == "time B^1.92, plain loops B^1.00, 0.5 more allowed");
    BOOST_TEST(measurement_summary(slow) ==
               "13.2 times the plain loops' time at the last length, 12 allowed");
    BOOST_TEST(contains(measurement_text(slow), "in turn with the plain loops, for each length"));
    BOOST_TEST(contains(measurement_text(slow), last));
}

BOOST_AUTO_TEST_CASE(memory_stands_beside_that_of_the_plain_loops) {
    Check check = make_growth();
    check.growth = {{"memory", "N", {128, 1024}, {64.25, 64.5}, {0.01, 0, 0.02}, 1.3}};
    check.growth[0].plain_memory = {{0.25, 0.3}, {64.2, 64.1, 64.3}, 2};
    const std::string last =
        "At N = 1024 your process takes 64.2 MiB more than the plain loops; 2 MiB more is allowed.";
    BOOST_TEST(in_words(check.growth[0]).starts_with(last));
    BOOST_TEST(contains(in_words(check.growth[0]), "Memory grows as N^0.01"));
    BOOST_TEST(measurement_summary(check) ==
               "64.2 MiB more than the plain loops at the last length, 2 allowed");
    BOOST_TEST(contains(measurement_text(check), "plain loops    factor"));
    check.growth[0].plain_memory->more = {0.1, 0, 0.2};
    BOOST_TEST(in_words(check.growth[0]).starts_with("Memory grows as N^0.01"));
    BOOST_TEST(measurement_summary(check) == "memory N^0.01, 1.3 allowed");
}

BOOST_AUTO_TEST_CASE(what_is_no_number_never_passes) {
    Growth growth = check_beside_plain(kNan, kNan).growth[0];
    BOOST_TEST(grows_too_fast(growth));
    BOOST_TEST(takes_too_long(growth));
    BOOST_TEST(contains(in_words(growth), "The difference is ? (95 % interval ? to ?)"));
    growth.plain.reset();
    growth.exponent.low = kNan;
    BOOST_TEST(grows_too_fast(growth));
    growth.plain_memory = {{}, {kNan, kNan, kNan}, 2};
    BOOST_TEST(takes_too_much_memory(growth));
}

BOOST_AUTO_TEST_CASE(a_check_without_measurement_shows_the_reason_in_one_line) {
    Check check = make_speed();
    BOOST_TEST(contains(measurement_summary(check), "60 % of the points"));
    check.outcome = Outcome::crashed;
    check.message = "It read past the end of X.\nAnd more.";
    BOOST_TEST(measurement_summary(check) == "It read past the end of X.");
    check = make_growth();
    check.growth.clear();
    check.outcome = Outcome::passed;
    BOOST_TEST(measurement_summary(check) == check.about);
}

BOOST_AUTO_TEST_CASE(a_text_without_measurements_is_the_message) {
    Check check = make_speed();
    check.speed.reset();
    check.outcome = Outcome::skipped;
    check.message = "Not measured: --no-speed.";
    const std::string text = measurement_text(check);
    BOOST_TEST(contains(text, "2.attention.speed, speed: skipped\n"));
    BOOST_TEST(contains(text, "Not measured: --no-speed.\n"));
    BOOST_TEST(!contains(text, "What was measured"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
