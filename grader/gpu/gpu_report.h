#pragma once
/// The results of `make gpu-check`, as text and as JSON.

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "grader/gpu/ask_kernels.h"

namespace attn::gpu {

struct FunctionReport {
    std::string module, function;
    Agreement agreement;         ///< empty without a device
    std::optional<Times> times;  ///< only if the numbers are right
};

/// A run of compute-sanitizer over the smallest case of each function.
struct SanitizerPass {
    std::string tool;     ///< "memcheck"
    int exit_code = 0;    ///< 0: nothing found
    std::string problem;  ///< "it was stopped after 900 s"; empty if it ended by itself

    bool failed() const { return exit_code != 0 || !problem.empty(); }
};

struct GpuReport {
    Device device;
    std::string date;
    std::vector<FunctionReport> functions;
    std::string clocks_before, clocks_after;  ///< see clocks_now()
    std::vector<std::string> left_out;        ///< kernels that this program was built without
    std::vector<SanitizerPass> sanitizer;     ///< empty if compute-sanitizer is not installed
};

/// "passed", "failed" or "skipped".
std::string verdict_on(const FunctionReport& function, const Device& device);

/// Whether there is a device and a function failed on it, or none was checked, or the device cannot be used.
bool has_failed(const GpuReport& report);

void print(std::ostream& out, const GpuReport& report);

nlohmann::json to_json(const GpuReport& report);

/// The only function of a report that to_json() wrote. Throws nlohmann::json::exception if it is no such
/// report.
FunctionReport function_from_json(const nlohmann::json& report);

}  // namespace attn::gpu
