#pragma once
/// The files of this build, for tests. They are asked for at run time: an object file that contains a path
/// would be compiled again in every other clone.

#include <filesystem>

#include "grader/base/installation.h"

namespace attn::testing {

inline const Installation& built() {
    static const Installation kBuilt;
    return kBuilt;
}

inline std::filesystem::path built_grader() {
    return built().worker.parent_path() / "grader";
}

}  // namespace attn::testing
