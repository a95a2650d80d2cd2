#pragma once
/// Reads files that gzip compressed.

#include <filesystem>
#include <string>

namespace attn::data {

/// The unpacked bytes of a gzip file; the bytes of any other file. `expected` says for messages what the file
/// should hold, for example "a table of digits". Throws FileError if it cannot be read, is truncated or
/// damaged, or unpacks to more than kMaxFileBytes.
std::string read_gzip(const std::filesystem::path& path, const std::string& expected);

}  // namespace attn::data
