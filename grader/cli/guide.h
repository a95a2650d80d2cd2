#pragma once
/// The example in assignments/README.md, "Adding an assignment", as the files of a new assignment.

#include <string>
#include <vector>

namespace attn::cli {

struct GuideFile {
    std::string path;  ///< "reference/mean_pooling.cpp"
    std::string text;
};

/// The files of a guide: each block of code whose first line says file=PATH. Throws std::runtime_error where
/// there is none.
std::vector<GuideFile> files_of_guide(const std::string& guide);

/// The same files for an assignment of another number and name: "mean_pooling" in paths and code, "mean
/// pooling" in text, and the number wherever it stands alone.
std::vector<GuideFile> renamed(std::vector<GuideFile> files, int number, const std::string& name);

}  // namespace attn::cli
