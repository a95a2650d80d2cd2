#pragma once
/// Rewrites a CUDA source to C++ that g++ accepts: each launch `kernel<<<grid, block>>>(x, n)` becomes a call
/// of the functions in grader/emulator/include/kernel_launch.h, on the same lines. The headers in that folder
/// provide the rest of CUDA (__global__, __shared__, threadIdx, ..).

#include <string>
#include <string_view>

#include "grader/emulator/unsupported.h"

namespace attn::emulator {

/// The rewritten text, which has as many lines. `name`: the file's name, for messages. Throws Unsupported for
/// a construct that cannot be emulated and for an incomplete launch.
std::string rewrite(std::string_view original, const std::string& name);

/// Code that tells the run time the names of the parameters of all kernels that a file defines, to be put at
/// its end, so that findings can say "x" in place of "argument 1 of the kernel". Empty if there are none.
/// `code`: the file's code without comments and literals; `name`: its name.
std::string parameter_names(std::string_view code, const std::string& name);

}  // namespace attn::emulator
