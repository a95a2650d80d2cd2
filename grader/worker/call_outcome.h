#pragma once
/// Turns a worker's reply, a fault or the end of its process into the result of a call.

#include <span>
#include <string>
#include <string_view>

#include "grader/worker/calls.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::worker {

/// How the message begins if a function is missing because it calls another one that is missing.
inline constexpr std::string_view kCallsWhatIsMissing = "It calls ";

/// The result for a reply. `regions`: the arrays of the call, so that a message can name the one that was
/// hit.
CallResult outcome_of(const Reply& reply, std::span<const Region> regions, const Limits& limits);

/// The result for a fault that the kernel reported. Of `reply`, the worker's own message about it, only the
/// access (read or write) is used, because the worker is not trusted.
CallResult outcome_of(const Fault& fault, const Reply& reply, std::span<const Region> regions,
                      const Limits& limits);

/// The result for a worker that ended without a reply. `printed`: the end of its output.
CallResult outcome_of(Ending ending, const std::string& printed);

/// The outcome of a call in which the emulator found something. `findings`: "KIND: TEXT" each, not empty.
CallResult outcome_of(const std::vector<std::string>& findings);

}  // namespace attn::worker
