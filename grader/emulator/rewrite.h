#pragma once
/// From a CUDA source to C++ that g++ takes: what is written `kernel<<<grid, block>>>(x, n)` becomes a call
/// of functions in grader/emulator/include/attn_launch.h, on the same lines. All else that is CUDA's own
/// (__global__, __shared__, threadIdx, ..) is for the headers beside that one.

#include <string>
#include <string_view>

#include "grader/emulator/refused.h"

namespace attn::emulator {

/// The text, with as many lines. `name`: the file's, for messages. Throws Refused for what cannot be
/// emulated, and for a launch that is not whole.
std::string rewrite(std::string_view text, const std::string& name);

}  // namespace attn::emulator
