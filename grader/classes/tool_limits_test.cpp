#include <chrono>
#include <filesystem>
#include <thread>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/classes/run_tool.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(tool_limits)

using Clock = std::chrono::steady_clock;

BOOST_AUTO_TEST_CASE(output_exit_code_and_environment_arrive) {
    const auto ran = run_tool({"sh", "-c", "echo $LC_ALL; echo dropped >&2; exit 3"}, {"LC_ALL=C"});
    BOOST_REQUIRE(ran.has_value());
    BOOST_TEST(ran->output == "C\n");
    BOOST_TEST(ran->exit_code == 3);
    BOOST_TEST(run_tool({"sh", "-c", "kill -9 $$"})->exit_code == 137);
    BOOST_TEST(!run_tool({"no-such-program-here"}).has_value());
}

BOOST_AUTO_TEST_CASE(a_tool_ends_when_its_time_is_over_with_all_that_it_started) {
    const data::TemporaryDirectory folder;
    const std::string mark = (folder / "still").string();
    const auto start = Clock::now();
    for (const std::string& command : {std::string("sleep 100"), std::string("sleep 100 & wait"),
                                       "(sleep 3; touch " + mark + ") & sleep 100"}) {
        const auto ran = run_tool({"sh", "-c", command}, {}, {.time_s = 0.2});
        BOOST_REQUIRE(ran.has_value());
        BOOST_TEST(ran->exit_code == kToolCut, command);
    }
    BOOST_TEST(std::chrono::duration<double>(Clock::now() - start).count() < 20);
    std::this_thread::sleep_until(start + std::chrono::seconds(5));
    BOOST_TEST(!std::filesystem::exists(mark));
}

BOOST_AUTO_TEST_CASE(output_memory_and_processor_time_are_limited) {
    const auto endless = run_tool({"yes"}, {}, {.output_bytes = 100000});
    BOOST_TEST(endless->exit_code == kToolCut);
    BOOST_TEST(endless->output.size() <= 100000U);
    const auto limits =
        run_tool({"sh", "-c", "ulimit -v; ulimit -t"}, {}, {.memory_mib = 512, .processor_s = 7});
    BOOST_TEST(limits->output == "524288\n7\n");
}

BOOST_AUTO_TEST_SUITE_END()
