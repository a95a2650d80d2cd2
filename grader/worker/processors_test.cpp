#include "grader/worker/processors.h"

#include <boost/test/unit_test.hpp>

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(processors)

cpu_set_t own() {
    return last_processors(CPU_SETSIZE);
}

BOOST_AUTO_TEST_CASE(the_last_allowed_processors_are_used) {
    const cpu_set_t all = own(), one = last_processors(1);
    BOOST_TEST(CPU_COUNT(&all) >= 1);
    BOOST_REQUIRE(CPU_COUNT(&one) == 1);
    int last = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &all)) last = cpu;
    BOOST_TEST(CPU_ISSET(last, &one) != 0);
}

BOOST_AUTO_TEST_CASE(a_neighbour_restores_the_processors_of_its_thread) {
    const cpu_set_t before = own(), one = last_processors(1);
    {
        const Neighbour neighbour(one);
        const cpu_set_t meanwhile = own();
        BOOST_TEST(CPU_EQUAL(&meanwhile, &one) != 0);
        BOOST_TEST(CPU_ISSET(sched_getcpu(), &one) != 0);
    }
    const cpu_set_t after = own();
    BOOST_TEST(CPU_EQUAL(&after, &before) != 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
