#pragma once
/// Which version of the grader this is. The number is that of project() in CMakeLists.txt. The commit stands in a small text
/// file beside the programs (base/commit.cmake writes it), so that a commit compiles and links nothing again.

#include <string>

#include "grader/base/installation.h"

namespace attn {

/// "Attention Lab 1.0.0, commit 8603ec25 of 2026-11-27, built with g++ 12.2.0". The date is that of the commit, so every
/// build of a commit with one compiler says the same. Without the file, the line says "unknown commit".
std::string version_line(const Installation& installation);

/// The beginning of such a line: "Attention Lab 1.0.0".
std::string name_and_number(const std::string& version_line);

}  // namespace attn
