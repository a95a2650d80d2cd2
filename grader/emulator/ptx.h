#pragma once
/// Inline PTX that the emulator knows: asynchronous copies, and the numbers of lanes and warps. It becomes calls of the run
/// time's functions.

#include <string>
#include <string_view>

#include "grader/emulator/masked_source.h"

namespace attn::emulator {

/// The text in which such statements, `asm volatile("cp.async.wait_all;");`, are calls on the same lines. All other ones
/// stay, to be refused. `masked`: of the text.
std::string calls_for_ptx(std::string_view text, const MaskedSource& masked);

}  // namespace attn::emulator
