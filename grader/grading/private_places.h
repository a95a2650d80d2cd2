#pragma once
/// Where the grader and its secrets may lie: not in a folder that a submission's compiler can read.

#include <filesystem>
#include <string>

#include "grader/base/installation.h"

namespace attn {

/// A sentence that names a file of the grader that student code can read while it is compiled, and what to do
/// about it: a library that contains the reference or the yardstick, the rubrics with their secret cases, or
/// `seed_file` (may be empty). Empty if there is none. Assumes that the layer `files` is active.
std::string readable_secret(const Installation& installation, const std::filesystem::path& seed_file = {});

}  // namespace attn
