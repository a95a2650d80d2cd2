#include "reference/models/progress.h"

#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

namespace attn::training {
namespace {

BOOST_AUTO_TEST_SUITE(progress)

BOOST_AUTO_TEST_CASE(the_last_step_is_always_shown) {
    for (const bool is_terminal : {false, true}) {
        std::ostringstream out;
        Progress shown(out, is_terminal, 3, 0);
        for (int step = 1; step <= 3; ++step) shown.step(step, 2);
        shown.end();
        const std::string text = out.str();
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(text.find("step 3 of 3, loss 2.0000") != std::string::npos);
            BOOST_TEST(text.find("step 1") == std::string::npos);
            BOOST_TEST(text.back() == '\n');
            BOOST_TEST((text.find("[##############################]") != std::string::npos) == is_terminal);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_pace_is_that_of_the_steps_after_the_first_one) {
    Progress::Clock::time_point now;
    std::ostringstream out;
    Progress shown(out, false, 110, 8, [&] { return now; });
    now += std::chrono::seconds(60);  // this step also compiles
    shown.step(9, 2);
    now += std::chrono::seconds(6);
    shown.step(10, 2);
    now += std::chrono::seconds(8);
    shown.step(11, 2);
    BOOST_TEST(out.str() ==
               "step 9 of 110, loss 2.0000, 60 s\n"
               "step 10 of 110, loss 2.0000, 66 s, 600 s left\n"
               "step 11 of 110, loss 2.0000, 74 s, 693 s left\n");
}

BOOST_AUTO_TEST_CASE(a_bar_of_no_step_leaves_no_line) {
    std::ostringstream out;
    Progress(out, true, 3, 0).end();
    BOOST_TEST(out.str().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::training
