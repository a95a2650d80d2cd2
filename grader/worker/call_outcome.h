#pragma once
/// What a worker's reply, or its end, means to the student whose code ran in it.

#include <span>
#include <string>

#include "grader/worker/calls.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::worker {

/// `regions`: where the arrays of the call lay, so that a fault can be named.
CallResult outcome_of(const Reply& reply, std::span<const Region> regions, const Limits& limits);

/// The same for a fault that the kernel told of. `words`: what the worker said of it, which is believed as
/// far as whether it read or wrote.
CallResult outcome_of(const Fault& fault, const Reply& words, std::span<const Region> regions,
                      const Limits& limits);

/// A worker that ended without a reply. `printed`: its last words.
CallResult outcome_of(Ending ending, const std::string& printed);

}  // namespace attn::worker
