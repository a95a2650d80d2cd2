#pragma once
/// A pass over the assembly that g++ makes of an emulated source: __shared__ is thread_local there, and the
/// run time has to know where each such array lies and to notice who goes past its end.

#include <cstddef>
#include <string>
#include <string_view>

namespace attn::emulator {

inline constexpr std::size_t kGuardZone = 256;         ///< bytes behind each array
inline constexpr std::size_t kDynamicShared = 232448;  ///< of `extern __shared__`: the most that a GPU has

/// The assembly with a guard zone behind each thread_local object; with one area that all arrays declared
/// `extern __shared__` lie in; and with a table of them in the section attn_emu_shared, of four words each:
/// pointer to the mangled name, offset in the module's thread-local block, size, flags. No thread_local
/// object can be seen outside of the module. Throws std::runtime_error where the text is not what g++ writes.
std::string place_shared_arrays(std::string_view assembly);

/// Flags of an entry.
enum SharedFlag : int {
    kDynamic = 1,  ///< `extern __shared__`: the launch says how large
    kAnchor = 2,   ///< attn_emu_anchor, whose address tells where the block lies
    kGuard = 4,    ///< of the compiler: whether an object was constructed
};

}  // namespace attn::emulator
