#include "reference/fast/threads.h"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "reference/fast/scoped_unit.h"

using namespace attn::fast;

BOOST_AUTO_TEST_SUITE(threads)

BOOST_AUTO_TEST_CASE(every_index_runs_once_with_any_number_of_threads) {
    for (const int count : {1, 2, 5, 2}) {
        const ScopedUnit scope(vector_unit(), count);
        for (int round = 0; round < 20; ++round) {
            std::vector<int> runs(100, 0);
            parallel_for(100, [&](int index) { ++runs[static_cast<std::size_t>(index)]; });
            BOOST_TEST(runs == std::vector<int>(100, 1));
        }
    }
}

BOOST_AUTO_TEST_CASE(several_threads_work_at_once) {
    const ScopedUnit scope(vector_unit(), 3);
    std::atomic<int> here{0};
    // Returns only if three threads meet.
    parallel_for(3, [&](int) {
        ++here;
        while (here < 3) std::this_thread::yield();
    });
    BOOST_TEST(here == 3);
}

BOOST_AUTO_TEST_CASE(one_thread_means_the_calling_one) {
    const ScopedUnit scope(vector_unit(), 1);
    std::vector<std::thread::id> by;
    parallel_for(3, [&](int) { by.push_back(std::this_thread::get_id()); });
    BOOST_TEST((by == std::vector<std::thread::id>(3, std::this_thread::get_id())));
}

BOOST_AUTO_TEST_CASE(a_loop_inside_of_a_loop_runs_in_its_thread) {
    const ScopedUnit scope(vector_unit(), 2);
    std::atomic<int> sum{0};
    parallel_for(4, [&](int i) { parallel_for(5, [&](int j) { sum += 5 * i + j; }); });
    BOOST_TEST(sum == 190);
}

BOOST_AUTO_TEST_CASE(what_an_index_throws_arrives) {
    for (const int count : {1, 3}) {
        const ScopedUnit scope(vector_unit(), count);
        BOOST_CHECK_THROW(parallel_for(10,
                                       [](int index) {
                                           if (index == 7) throw std::runtime_error("seven");
                                       }),
                          std::runtime_error);
        int runs = 0;
        parallel_for(1, [&](int) { ++runs; });
        BOOST_TEST(runs == 1);
    }
}

BOOST_AUTO_TEST_CASE(nothing_runs_for_no_index_and_no_thread_is_refused) {
    parallel_for(0, [](int) { BOOST_ERROR("ran"); });
    BOOST_CHECK_THROW(set_threads(0), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(callers_wait_for_one_another) {
    const ScopedUnit scope(vector_unit(), 2);
    std::atomic<int> runs{0};
    const auto call = [&] {
        for (int k = 0; k < 50; ++k) parallel_for(8, [&](int) { ++runs; });
    };
    std::thread other(call);
    call();
    other.join();
    BOOST_TEST(runs == 800);
}

BOOST_AUTO_TEST_SUITE_END()
