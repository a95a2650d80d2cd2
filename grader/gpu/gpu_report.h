#pragma once
/// What `make gpu-check` found: for people, and as JSON.

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "grader/gpu/agreement.h"
#include "grader/gpu/on_device.h"

namespace attn::gpu {

/// Of one call, in the same run.
struct Times {
    std::string call;  ///< "B=1 N=256", what was called
    double device_ms = 0, plain_ms = 0;

    double ratio() const { return plain_ms / device_ms; }
};

struct FunctionReport {
    std::string module, function;
    Agreement agreement;         ///< nothing asked where there is no device
    std::optional<Times> times;  ///< of numbers that are right
};

struct GpuReport {
    Device device;
    std::string date;
    std::vector<FunctionReport> functions;
};

/// "passed", "failed" or "skipped".
std::string verdict_on(const FunctionReport& function, const Device& device);

/// Has a device that is there failed in anything, or was nothing asked of it?
bool has_failed(const GpuReport& report);

void print(std::ostream& out, const GpuReport& report);

nlohmann::json to_json(const GpuReport& report);

}  // namespace attn::gpu
