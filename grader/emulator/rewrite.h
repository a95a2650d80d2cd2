#pragma once
/// Rewrites a CUDA source to C++ that g++ accepts: each launch `kernel<<<grid, block>>>(x, n)` becomes a call
/// of the functions in grader/emulator/include/attn_launch.h, on the same lines. The headers in that folder
/// provide the rest of CUDA (__global__, __shared__, threadIdx, ..).

#include <string>
#include <string_view>

#include "grader/emulator/unsupported.h"

namespace attn::emulator {

/// The rewritten text, which has as many lines. `name`: the file's name, for messages. Throws Unsupported for
/// a construct that cannot be emulated and for an incomplete launch.
std::string rewrite(std::string_view text, const std::string& name);

}  // namespace attn::emulator
