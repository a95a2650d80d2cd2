// An endless kernel that many functions call costs a grading a few seconds.

#include "grader/judge/endless_launches.h"

#include <boost/test/unit_test.hpp>

namespace attn::judge {
namespace {

BOOST_AUTO_TEST_SUITE(endless_launches)

/// The processor time of a grading in which each call of each function ends at one endless kernel.
double time_of(int functions, int calls) {
    EndlessLaunches endless;
    double time_s = 0;
    for (int f = 0; f < functions; ++f) {
        endless.begin_function();
        for (int call = 0; call < calls && !endless.gives_up(); ++call) {
            time_s += endless.launch_s();
            if (endless.watches()) {
                time_s += EndlessLaunches::watched_launch_s(true);
                endless.watch();
            }
            endless.stopped();
        }
        BOOST_TEST(endless.times() >= 1);  // each function is tried: the kernel may not be its own
    }
    return time_s;
}

BOOST_AUTO_TEST_CASE(an_endless_kernel_costs_less_than_10_s_whatever_the_number_of_functions) {
    BOOST_TEST(time_of(1, 12) <= 4);
    BOOST_TEST(time_of(3, 12) < 5);
    BOOST_TEST(time_of(14, 12) < 8);
    BOOST_TEST(time_of(20, 12) < 10);
}

BOOST_AUTO_TEST_CASE(one_endless_call_takes_no_time_from_the_next_function) {
    EndlessLaunches endless;
    const double at_first_s = endless.launch_s();
    endless.begin_function();
    endless.watch();
    endless.stopped();
    endless.stopped();
    BOOST_TEST(endless.gives_up());
    endless.begin_function();
    BOOST_TEST(!endless.gives_up());
    BOOST_TEST(endless.launch_s() == at_first_s);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::judge
