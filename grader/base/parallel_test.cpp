// The parallel loop: every call is made once, and an exception reaches the caller.

#include "grader/base/parallel.h"

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(parallel)

const std::vector<int> kThreads = {0, 1, 2, 3, 100};

BOOST_DATA_TEST_CASE(every_call_is_made_once, boost::unit_test::data::make(kThreads), threads) {
    std::vector<std::atomic<int>> done(20);
    in_parallel(done.size(), threads, [&](std::size_t k) { ++done[k]; });
    for (const auto& each : done) BOOST_TEST(each == 1);
    in_parallel(0, threads, [](std::size_t) { BOOST_ERROR("there is nothing to do"); });
}

BOOST_AUTO_TEST_CASE(two_threads_work_at_the_same_time) {
    std::latch both(2);
    std::mutex mutex;
    std::set<std::thread::id> threads;
    in_parallel(2, 2, [&](std::size_t) {
        both.arrive_and_wait();  // would wait forever if the calls ran one after the other
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
    });
    BOOST_TEST(threads.size() == 2U);
    BOOST_TEST(!threads.contains(std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(one_thread_is_the_callers_own) {
    const auto here = std::this_thread::get_id();
    in_parallel(3, 1, [here](std::size_t) { BOOST_TEST((std::this_thread::get_id() == here)); });
}

BOOST_DATA_TEST_CASE(the_exception_of_the_lowest_number_is_thrown, boost::unit_test::data::make(kThreads),
                     threads) {
    std::atomic<int> begun = 0;
    const auto work = [&begun](std::size_t k) {
        ++begun;
        if (k >= 1) throw std::runtime_error("of number " + std::to_string(k));
    };
    BOOST_CHECK_EXCEPTION(in_parallel(1000, threads, work), std::runtime_error,
                          [](const auto& error) { return std::string(error.what()) == "of number 1"; });
    if (threads <= 1) BOOST_TEST(begun == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
