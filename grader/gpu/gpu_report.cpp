#include "grader/gpu/gpu_report.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn::gpu {
namespace {

std::ptrdiff_t number_of(std::string_view verdict, const GpuReport& report) {
    return std::count_if(
        report.functions.begin(), report.functions.end(),
        [&](const FunctionReport& function) { return verdict_on(function, report.device) == verdict; });
}

std::string summary(const GpuReport& report) {
    if (report.device.unusable)
        return fmt::format("device unusable: {} functions not checked ({})", report.functions.size(),
                           report.device.why_not);
    if (!report.device.present())
        return fmt::format("no device: {} functions skipped, none passed ({})", report.functions.size(),
                           report.device.why_not);
    return fmt::format("{} of {} functions passed, {} failed", number_of("passed", report),
                       report.functions.size(), number_of("failed", report));
}

/// "12.34 (0.18)", where the second number is the share of the peak; "-" for 0.
std::string with_share(double value, double peak) {
    if (!(value > 0)) return "-";
    return fmt::format("{:.4g}", value) + (peak > 0 ? fmt::format(" ({:.3f})", value / peak) : "");
}

}  // namespace

std::string verdict_on(const FunctionReport& function, const Device& device) {
    if (!device.present()) return "skipped";
    return function.agreement.all_passed() ? "passed" : "failed";
}

bool has_failed(const GpuReport& report) {
    if (report.device.unusable) return true;
    for (const SanitizerPass& pass : report.sanitizer)
        if (pass.failed()) return true;
    return report.device.present() && (report.functions.empty() || number_of("failed", report) > 0);
}

void print(std::ostream& out, const GpuReport& report) {
    const Device& device = report.device;
    if (device.present()) {
        out << fmt::format("{}, compute capability {}.{}; driver of CUDA {}, run time of CUDA {}\n\n",
                           device.name, device.major, device.minor, version_name(device.driver),
                           version_name(device.runtime));
        out << fmt::format("{:30}{:8}{:>8}{:>12}{:>12}{:>12}{:>12}{:>9}{:>15}{:>15}  {}\n", "function", "",
                           "cases", "yardsticks", "call", "kernels", "plain loops", "ratio", "TFLOP/s",
                           "GB/s", "of this call");
        for (const FunctionReport& function : report.functions) {
            const Agreement& agreement = function.agreement;
            out << fmt::format("{:30}{:8}{:>8}{:>12.2f}", function.function, verdict_on(function, device),
                               fmt::format("{}/{}", agreement.passed, agreement.asked),
                               agreement.worst_yardsticks);
            if (const auto& times = function.times)
                out << fmt::format("{:>9.3f} ms{:>9.3f} ms{:>9.2f} ms{:>9.1f}{:>15}{:>15}  {}",
                                   times->call_ms, times->device_ms, times->plain_ms, times->ratio(),
                                   with_share(times->gflop > 0 ? times->tflops() : 0, device.peak_tflops),
                                   with_share(times->gbytes_per_s(), device.peak_gbytes), times->call);
            out << '\n';
        }
        out << "\ncases: right ones, of all. yardsticks: the largest error, in rounding errors of plain "
               "float loops. call: until\nthe host knows that it is done, by the host's clock. kernels: by "
               "the GPU's clock, with the arrays in its memory\nand not in its cache. plain loops: on one "
               "processor. All times are medians. TFLOP/s and GB/s of the kernels:\noperations and bytes "
               "of a direct computation, and in brackets the share of the GPU's peak.\n";
        if (!report.clocks_before.empty())
            out << "Clocks of the GPU before: " << report.clocks_before << "; after: " << report.clocks_after
                << ".\n";
        out << '\n';
        for (const FunctionReport& function : report.functions)
            for (const std::string& failure : function.agreement.failures)
                out << function.function << ", " << failure << '\n';
    }
    if (!report.left_out.empty())
        out << fmt::format("Not in this program, which was built without cuBLAS: {}\n",
                           fmt::join(report.left_out, ", "));
    for (const SanitizerPass& pass : report.sanitizer)
        out << fmt::format("compute-sanitizer, {}: {}\n", pass.tool,
                           !pass.problem.empty() ? pass.problem
                           : pass.failed()       ? fmt::format("failed with exit code {}", pass.exit_code)
                                                 : "nothing found");
    if (report.device.present() && report.sanitizer.empty())
        out << "compute-sanitizer is not installed: its tools were not run\n";
    out << summary(report) << '\n';
}

nlohmann::json to_json(const GpuReport& report) {
    const Device& device = report.device;
    nlohmann::json json;
    json["date"] = report.date;
    json["summary"] = summary(report);
    json["cuda"] = {
        {"driver", device.driver > 0 ? nlohmann::json(version_name(device.driver)) : nlohmann::json()},
        {"runtime", device.runtime > 0 ? nlohmann::json(version_name(device.runtime)) : nlohmann::json()}};
    if (device.present())
        json["device"] = {{"name", device.name},
                          {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                          {"peak_tflops", device.peak_tflops},
                          {"peak_gbytes_per_s", device.peak_gbytes},
                          {"clocks_before", report.clocks_before},
                          {"clocks_after", report.clocks_after}};
    else
        json["device"] = nullptr, json["why_no_device"] = device.why_not;
    json["functions"] = nlohmann::json::array();
    for (const FunctionReport& function : report.functions) {
        nlohmann::json one{{"module", function.module},
                           {"function", function.function},
                           {"verdict", verdict_on(function, device)}};
        if (device.present()) {
            const Agreement& agreement = function.agreement;
            one["asked"] = agreement.asked;
            one["passed"] = agreement.passed;
            one["worst_error_yardsticks"] = agreement.worst_yardsticks;  // null where it is not finite
            one["failures"] = agreement.failures;
        }
        if (const auto& times = function.times)
            one["times"] = {{"call", times->call},
                            {"call_ms", times->call_ms},
                            {"gflop", times->gflop},
                            {"gbytes", times->gbytes},
                            {"device_ms", times->device_ms},
                            {"plain_loops_ms", times->plain_ms},
                            {"plain_loops_by_device", times->ratio()}};
        json["functions"].push_back(std::move(one));
    }
    json["left_out"] = report.left_out;
    json["compute_sanitizer"] = nlohmann::json::array();
    for (const SanitizerPass& pass : report.sanitizer)
        json["compute_sanitizer"].push_back(
            {{"tool", pass.tool}, {"exit_code", pass.exit_code}, {"problem", pass.problem}});
    return json;
}

FunctionReport function_from_json(const nlohmann::json& report) {
    const nlohmann::json& json = report.at("functions").at(0);
    FunctionReport function{json.at("module"), json.at("function"), {}, {}};
    Agreement& agreement = function.agreement;
    agreement.asked = json.at("asked");
    agreement.passed = json.at("passed");
    const nlohmann::json& worst = json.at("worst_error_yardsticks");
    agreement.worst_yardsticks =
        worst.is_null() ? std::numeric_limits<double>::infinity() : worst.get<double>();
    agreement.failures = json.at("failures");
    if (json.contains("times")) {
        const nlohmann::json& times = json.at("times");
        function.times = Times{times.at("call"),           times.at("call_ms"), times.at("device_ms"),
                               times.at("plain_loops_ms"), times.at("gflop"),   times.at("gbytes")};
    }
    return function;
}

}  // namespace attn::gpu
