#pragma once
/// The data sets that come with this project.

#include <filesystem>

namespace attn::data {

/// Says where they lie; a program does this once, first thing.
void set_shipped_folder(std::filesystem::path place);

/// Where the shipped file of this name lies, "digits.csv.gz" for one. (datasets/README.md lists them.)
std::filesystem::path shipped(const char* name);

}  // namespace attn::data
