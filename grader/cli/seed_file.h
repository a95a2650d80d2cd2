#pragma once
/// Reads the secret seed for marking from the instructor's file.

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace attn {

/// The seed for a text, the same on every machine: FNV-1a of its bytes, then the last step of SplitMix64.
/// Both can be inverted; the seed is secret because the text is long and cannot be guessed.
std::uint64_t seed_of(std::string_view text);

struct SeedFile {
    std::uint64_t seed = 0;
    bool readable_by_all = false;
};

/// The seed for the first line of a file, without trailing white space. Throws data::FileError if the file is
/// missing or the line is shorter than kShortestSeed; the message does not quote the line.
SeedFile read_seed_file(const std::filesystem::path& path);

inline constexpr std::size_t kShortestSeed = 16;

}  // namespace attn
