#pragma once
/// Whether exp, tanh and the like of the C library slow a function down: what its compiled code calls, and
/// how long such calls take on this machine.

#include <filesystem>
#include <string>
#include <string_view>

namespace attn {

/// The name by which a compiled library calls `function` ("exp", "tanh" or "erf"): "expf" in float, or "exp".
/// Empty if it does not call it.
std::string called_in(const std::filesystem::path& library, std::string_view function);

/// The processor time of one call, in nanoseconds. `name`: as called_in() returns it.
double call_ns(std::string_view name);

}  // namespace attn
