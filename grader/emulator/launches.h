#pragma once
/// Where a CUDA source launches kernels.

#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/blanked.h"

namespace attn::emulator {

/// `kernel<<<grid, block>>>(`: positions in the text.
struct Launch {
    Span kernel;                ///< its name, and <..> or (..) that belong to it
    std::size_t configuration;  ///< of <<<
    std::size_t arguments;      ///< of >>>
    bool in_directive;
};

/// All in the order of the text. `name`: the file's. Throws Refused for a launch that is not whole and for
/// one inside of a kernel.
std::vector<Launch> find_launches(std::string_view text, const Blanked& blanked, const std::string& name);

}  // namespace attn::emulator
