#pragma once
/// Finds the kernel launches in a CUDA source.

#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/masked_source.h"

namespace attn::emulator {

/// The positions of a launch `kernel<<<grid, block>>>(` in the text.
struct Launch {
    Span kernel;                ///< its name, with the <..> or (..) that belong to it
    std::size_t configuration;  ///< where <<< begins
    std::size_t arguments;      ///< where >>> begins
    /// Where the preprocessor line begins that it is in; npos for a launch outside of such lines.
    std::size_t directive;
    bool in_directive() const { return directive != npos; }
};

/// All launches, in the order of the text. `name`: the file's name. Throws Unsupported for an incomplete
/// launch and for one inside a kernel.
std::vector<Launch> find_launches(std::string_view text, const MaskedSource& masked, const std::string& name);

/// The bodies of functions that run on the device only, from { to }.
std::vector<Span> device_bodies(std::string_view code);

}  // namespace attn::emulator
