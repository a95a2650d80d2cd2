#pragma once
/// The secret seed of a mark, from a file that its maker keeps.

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace attn {

/// A text as a seed, the same on every machine: FNV-1a of its bytes, then the last step of SplitMix64. Both
/// can be turned round; what keeps a seed secret is that the text is long and nobody's guess.
std::uint64_t seed_of(std::string_view text);

struct SeedFile {
    std::uint64_t seed = 0;
    bool readable_by_all = false;
};

/// The seed of a file's first line, less the white space behind it. Throws data::FileError for a file that is
/// not there, and for a line that is shorter than kShortestSeed; the line is not quoted.
SeedFile read_seed_file(const std::filesystem::path& path);

inline constexpr std::size_t kShortestSeed = 16;

}  // namespace attn
