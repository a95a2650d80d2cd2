#pragma once
/// The header of a safetensors file: names, element types, shapes and places of its arrays. Used by
/// safetensors.cpp.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn::data {

/// What a header says about one array. Nothing is checked but the form.
struct SafetensorsEntry {
    std::string name;
    std::string dtype;
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> data_offsets;  ///< its first byte after the header, and the one after its last
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;
    std::map<std::string, std::string> metadata;
};

/// Parses the JSON of a header:  {"__metadata__": {"key": "text"}, "W": {"dtype": "F32", "shape": [2, 3],
/// "data_offsets": [0, 24]}}. Throws FileError for other JSON, repeated names and missing fields. It needs
/// memory for what it returns, not for the text's nesting.
SafetensorsHeader parse_safetensors_header(const std::filesystem::path& path, std::string_view text);

}  // namespace attn::data
