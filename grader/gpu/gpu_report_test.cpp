// The report of gpu-check on invented results: a function without questions does not pass, and without a
// device no function passes.

#include "grader/gpu/gpu_report.h"

#include <limits>
#include <sstream>
#include <string>

#include <boost/test/unit_test.hpp>

namespace attn::gpu {
namespace {

BOOST_AUTO_TEST_SUITE(gpu_report)

GpuReport on_a_device() {
    GpuReport report;
    report.device = {"", "Some GPU", 9, 0, 13010, 12040, false, 50, 2000};
    report.date = "2026-11-21";
    report.functions = {
        {"self_attention", "softmax", {9, 9, 1.25, {}}, Times{"N=1051 D=5", 0.625, 0.5, 20, 2.5, 0.1}},
        {"masking", "causal_mask", {4, 4, 0, {}}, Times{"N_q=37 N_k=45", 0.5, 0.25, 0.125, 0, 0.05}}};
    return report;
}

std::string printed(const GpuReport& report) {
    std::ostringstream out;
    print(out, report);
    return out.str();
}

bool has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

BOOST_AUTO_TEST_CASE(a_passed_function_is_a_row_with_times_and_their_ratio) {
    const GpuReport report = on_a_device();
    const std::string text = printed(report);
    BOOST_TEST(!has_failed(report));
    BOOST_TEST(has(text, "Some GPU, compute capability 9.0; driver of CUDA 13.1, run time of CUDA 12.4\n"));
    BOOST_TEST(has(text,
                   "softmax                       passed       9/9        1.25    0.625 ms    0.500 ms    "
                   "20.00 ms     40.0"
                   "      5 (0.100)    200 (0.100)  N=1051 D=5\n"));
    BOOST_TEST(
        has(text,
            "    0.500 ms    0.250 ms     0.12 ms      0.5              -    200 (0.100)  N_q=37 N_k=45\n"));
    BOOST_TEST(text.ends_with("2 of 2 functions passed, 0 failed\n"));
}

BOOST_AUTO_TEST_CASE(the_json_has_the_same_results) {
    const nlohmann::json json = to_json(on_a_device());
    BOOST_TEST(json.at("date") == "2026-11-21");
    BOOST_TEST(json.at("device").at("name") == "Some GPU");
    BOOST_TEST(json.at("device").at("compute_capability") == "9.0");
    BOOST_TEST(json.at("cuda").at("driver") == "13.1");
    BOOST_TEST(json.at("cuda").at("runtime") == "12.4");
    BOOST_REQUIRE(json.at("functions").size() == 2U);
    const nlohmann::json& softmax = json.at("functions")[0];
    BOOST_TEST(softmax.at("module") == "self_attention");
    BOOST_TEST(softmax.at("function") == "softmax");
    BOOST_TEST(softmax.at("verdict") == "passed");
    BOOST_TEST(softmax.at("asked") == 9);
    BOOST_TEST(softmax.at("passed") == 9);
    BOOST_TEST(softmax.at("worst_error_yardsticks") == 1.25);
    BOOST_TEST(softmax.at("failures").empty());
    BOOST_TEST(softmax.at("times").at("call") == "N=1051 D=5");
    BOOST_TEST(softmax.at("times").at("device_ms") == 0.5);
    BOOST_TEST(softmax.at("times").at("plain_loops_ms") == 20);
    BOOST_TEST(softmax.at("times").at("plain_loops_by_device") == 40);
}

BOOST_AUTO_TEST_CASE(a_failure_is_printed_and_decides) {
    GpuReport report = on_a_device();
    report.functions[0].agreement = {
        9, 8, std::numeric_limits<double>::infinity(), {"ragged (N=5): not finite: .."}};
    report.functions[0].times.reset();
    const std::string text = printed(report);
    BOOST_TEST(has_failed(report));
    BOOST_TEST(has(text, "softmax                       failed       8/9         inf\n"));
    BOOST_TEST(has(text, "softmax, ragged (N=5): not finite: ..\n"));
    BOOST_TEST(text.ends_with("1 of 2 functions passed, 1 failed\n"));
    const nlohmann::json json = nlohmann::json::parse(to_json(report).dump()).at("functions")[0];
    BOOST_TEST(json.at("verdict") == "failed");
    BOOST_TEST(json.at("worst_error_yardsticks").is_null());
    BOOST_TEST(json.at("failures")[0] == "ragged (N=5): not finite: ..");
    BOOST_TEST(!json.contains("times"));
}

BOOST_AUTO_TEST_CASE(a_device_without_questions_has_failed) {
    GpuReport report = on_a_device();
    report.functions[1].agreement = {};
    BOOST_TEST(has_failed(report));
    BOOST_TEST(verdict_on(report.functions[1], report.device) == "failed");
    report.functions.clear();
    BOOST_TEST(has_failed(report));
}

BOOST_AUTO_TEST_CASE(an_error_during_the_timing_is_a_failure) {
    GpuReport report = on_a_device();
    report.functions[0].agreement.failures = {"while it was timed: an error"};
    BOOST_TEST(has_failed(report));
}

BOOST_AUTO_TEST_CASE(without_a_device_no_function_passes_or_fails) {
    GpuReport report = on_a_device();
    report.device = {};
    report.device.why_not = "no CUDA driver is installed";
    report.device.runtime = 13000;
    for (FunctionReport& function : report.functions) function.agreement = {}, function.times.reset();
    BOOST_TEST(!has_failed(report));
    BOOST_TEST(printed(report) ==
               "no device: 2 functions skipped, none passed (no CUDA driver is installed)\n");
    const nlohmann::json json = to_json(report);
    BOOST_TEST(json.at("device").is_null());
    BOOST_TEST(json.at("why_no_device") == "no CUDA driver is installed");
    BOOST_TEST(json.at("cuda").at("driver").is_null());
    BOOST_TEST(json.at("summary") ==
               "no device: 2 functions skipped, none passed (no CUDA driver is installed)");
    for (const nlohmann::json& function : json.at("functions")) {
        BOOST_TEST(function.at("verdict") == "skipped");
        BOOST_TEST(!function.contains("passed"));
    }
}

BOOST_AUTO_TEST_CASE(kernels_that_were_not_built_are_named) {
    GpuReport report = on_a_device();
    BOOST_TEST(!has(printed(report), "built without"));
    report.left_out = {"multiply", "linear"};
    BOOST_TEST(!has_failed(report));
    BOOST_TEST(
        has(printed(report), "Not in this program, which was built without cuBLAS: multiply, linear\n"));
    BOOST_TEST(to_json(report).at("left_out") == nlohmann::json({"multiply", "linear"}));
}

BOOST_AUTO_TEST_CASE(a_device_that_cannot_be_used_is_a_failure) {
    GpuReport report = on_a_device();
    report.device = find_state(12020, 13000, DriverAnswer::too_old, "");
    BOOST_TEST(has_failed(report));
    BOOST_TEST(printed(report) ==
               "device unusable: 2 functions not checked (the driver supports CUDA 12.2, but this program "
               "needs CUDA "
               "13.0)\n");
}

BOOST_AUTO_TEST_CASE(what_the_sanitizer_finds_is_a_failure) {
    GpuReport report = on_a_device();
    BOOST_TEST(has(printed(report), "compute-sanitizer is not installed"));
    report.sanitizer = {{"memcheck", 0, ""}, {"racecheck", 0, ""}};
    BOOST_TEST(!has_failed(report));
    BOOST_TEST(has(printed(report), "compute-sanitizer, memcheck: nothing found\n"));
    report.sanitizer[1].exit_code = 99;
    BOOST_TEST(has_failed(report));
    BOOST_TEST(has(printed(report), "compute-sanitizer, racecheck: failed with exit code 99\n"));
    BOOST_TEST(to_json(report).at("compute_sanitizer")[1].at("exit_code") == 99);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::gpu
