#pragma once
/// A pass over the assembly that g++ makes of an emulated source. __shared__ arrays are thread_local there;
/// the run time has to know where each array lies and to notice accesses past its end.

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::emulator {

inline constexpr std::size_t kGuardZone = 256;  ///< bytes after each array
inline constexpr std::size_t kDynamicShared =
    232448;  ///< bytes of `extern __shared__`: the most that a GPU has

/// Returns the assembly with four additions: each thread_local object begins at a multiple of 16 bytes and
/// has a guard zone after it; all arrays declared `extern __shared__` are one area; and the section
/// attn_emu_shared has a table of the arrays. An entry
/// has four words: pointer to the mangled name, offset in the module's thread-local block, size, flags. All
/// thread_local objects become hidden, so that no other module sees them. Throws std::runtime_error for a
/// text that g++ does not write.
std::string place_shared_arrays(std::string_view assembly);

/// The flags of a table entry.
enum SharedFlag : int {
    kDynamic = 1,  ///< `extern __shared__`: the launch sets the size
    kAnchor = 2,   ///< attn_emu_anchor, whose address locates the block
    kGuard = 4,    ///< the compiler's own flag: whether an object was constructed
};

}  // namespace attn::emulator
