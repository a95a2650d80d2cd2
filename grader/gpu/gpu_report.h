#pragma once
/// The results of `make gpu-check`, as text and as JSON.

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "grader/gpu/agreement.h"
#include "grader/gpu/on_device.h"

namespace attn::gpu {

/// Times of one call, taken in the same run.
struct Times {
    std::string call;  ///< the sizes: "B=1 N=256"
    double device_ms = 0, plain_ms = 0;

    double ratio() const { return plain_ms / device_ms; }
};

struct FunctionReport {
    std::string module, function;
    Agreement agreement;         ///< empty without a device
    std::optional<Times> times;  ///< only if the numbers are right
};

struct GpuReport {
    Device device;
    std::string date;
    std::vector<FunctionReport> functions;
};

/// "passed", "failed" or "skipped".
std::string verdict_on(const FunctionReport& function, const Device& device);

/// Whether there is a device and a function failed on it, or none was checked.
bool has_failed(const GpuReport& report);

void print(std::ostream& out, const GpuReport& report);

nlohmann::json to_json(const GpuReport& report);

}  // namespace attn::gpu
