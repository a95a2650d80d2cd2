#pragma once
/// Finds the files that belong to the plain loops of an assignment.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attn::edits {

/// The text of a file, or nothing if there is no such file.
using Load = std::function<std::optional<std::string>(const std::string& path)>;

struct SourceFile {
    std::string path, text;
};

/// What reference/x.cpp consists of, in the order in which a Program reads it: the contracts with the structs
/// that it uses, headers with functions of their own, and x.cpp. `others`: the files of other assignments
/// whose functions it calls, x.cpp itself not among them.
struct ReferenceFiles {
    std::vector<SourceFile> files;
    std::vector<std::string> others;  ///< "reference/masking.cpp"
};

/// `path`: reference/x.cpp. `contract`: its contract; may be empty. Throws SourceError if a file does not
/// exist.
ReferenceFiles reference_files(const std::string& path, const std::string& contract, const Load& load);

/// The same with all files of `others`, and of theirs.
std::vector<SourceFile> with_others(const std::string& path, const std::string& contract, const Load& load);

}  // namespace attn::edits
