#pragma once
/// The names of kernels' parameters, so that findings can say "x" in place of "argument 1 of the kernel".

#include <string>
#include <string_view>

namespace attn::emulator {

/// Code that tells the run time the names of the parameters of all kernels that a file defines, to be put at
/// its end. Empty if there are none. `code`: the file's code without comments and literals; `name`: its name.
std::string parameter_names(std::string_view code, const std::string& name);

}  // namespace attn::emulator
