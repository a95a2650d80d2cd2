// What gpu_check makes of the processes that check one function each: here they are small scripts.

#include "grader/gpu/children.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(children)

/// A script that gets the words of a child.
struct Script {
    data::TemporaryDirectory folder;
    std::string file;

    explicit Script(const std::string& text, const std::string& name = "child") {
        file = folder.write(name, "#!/bin/sh\n" + text + "\n").string();
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }
    FunctionReport check(double limit_s = 20) const {
        return check_in_child({file}, "self_attention", "softmax", limit_s);
    }
};

std::string failure_of(const FunctionReport& report) {
    BOOST_TEST(report.function == "softmax");
    BOOST_TEST(!report.agreement.all_passed());
    return report.agreement.failures.empty() ? "" : report.agreement.failures.front();
}

BOOST_AUTO_TEST_CASE(the_report_of_a_child_is_that_of_its_function) {
    GpuReport report;
    report.device.name = "Some GPU";
    report.functions = {
        {"self_attention", "softmax", {9, 8, 1.5, {"ragged: wrong"}}, Times{"N=5", 1, 0.5, 20, 3, 4}}};
    const Script child("[ $1 = --function ] && [ $2 = softmax ] && echo '" + to_json(report).dump() +
                       "' > $4");
    const FunctionReport got = child.check();
    BOOST_TEST(got.module == "self_attention");
    BOOST_TEST(failure_of(got) == "ragged: wrong");
    BOOST_TEST(got.agreement.asked == 9);
    BOOST_TEST(got.agreement.passed == 8);
    BOOST_TEST(got.agreement.worst_yardsticks == 1.5);
    BOOST_REQUIRE(got.times.has_value());
    BOOST_TEST(got.times->call == "N=5");
    BOOST_TEST(got.times->ratio() == 40);
    BOOST_TEST(got.times->call_ms == 1);
    BOOST_TEST(got.times->gflop == 3);
    BOOST_TEST(got.times->gbytes == 4);
}

BOOST_AUTO_TEST_CASE(an_endless_child_and_its_own_children_are_stopped) {
    BOOST_TEST(failure_of(Script("sleep 300").check(0.2)) == "its process was stopped after 0.2 s");
}

BOOST_AUTO_TEST_CASE(a_crash_costs_only_the_function) {
    BOOST_TEST(failure_of(Script("kill -SEGV $$").check()) ==
               "its process ended with signal 11 (Segmentation fault)");
}

BOOST_AUTO_TEST_CASE(a_child_without_a_report_has_failed) {
    BOOST_TEST(failure_of(Script("exit 3").check()).find("ended with exit code 3 and without a report") !=
               std::string::npos);
    BOOST_TEST(failure_of(Script("echo '{}' > $4").check()).find("without a report") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(each_tool_of_the_sanitizer_runs_once) {
    const Script tool("[ $2 = racecheck ] && exit 99; [ $5 = program ]", "compute-sanitizer");
    const std::string before = std::getenv("PATH");
    BOOST_REQUIRE(setenv("PATH", (tool.folder.path().string() + ":" + before).c_str(), 1) == 0);
    const auto passes = run_sanitizer({"program", "--brief"}, 20);
    setenv("PATH", before.c_str(), 1);
    BOOST_REQUIRE(passes.size() == 3U);
    BOOST_TEST(passes[0].tool == "memcheck");
    BOOST_TEST(!passes[0].failed());
    BOOST_TEST(passes[1].tool == "racecheck");
    BOOST_TEST(passes[1].failed());
    BOOST_TEST(!passes[2].failed());
}

BOOST_AUTO_TEST_CASE(a_driver_that_cannot_be_used_is_not_a_machine_without_a_device) {
    const Device none = find_state(0, 13000, DriverAnswer::too_old, "");
    BOOST_TEST(none.why_not == "no CUDA driver is installed");
    BOOST_TEST(!none.unusable);
    BOOST_TEST(!find_state(13000, 13000, DriverAnswer::no_device, "").unusable);
    const Device old = find_state(12020, 13000, DriverAnswer::too_old, "");
    BOOST_TEST(old.unusable);
    BOOST_TEST(old.why_not == "the driver supports CUDA 12.2, but this program needs CUDA 13.0");
    const Device broken = find_state(13000, 13000, DriverAnswer::error, "system not yet initialized");
    BOOST_TEST(broken.unusable);
    BOOST_TEST(broken.why_not == "system not yet initialized");
    BOOST_TEST(find_state(13000, 13000, DriverAnswer::devices, "no error").present());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
