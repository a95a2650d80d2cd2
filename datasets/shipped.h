#pragma once
/// The data sets that come with this project.

#include <filesystem>

namespace attn::data {

/// Where the shipped file of this name lies, "digits.csv.gz" for one. (datasets/README.md lists them.)
std::filesystem::path shipped(const char* name);

}  // namespace attn::data
