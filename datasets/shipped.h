#pragma once
/// The data sets that come with this project.

#include <filesystem>

namespace attn::data {

/// Sets their folder. A program calls this once, before it uses a data set.
void set_shipped_folder(std::filesystem::path place);

/// The path of a shipped file, for example "digits.csv.gz". (datasets/README.md lists the files.)
std::filesystem::path shipped(const char* name);

}  // namespace attn::data
