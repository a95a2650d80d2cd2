#pragma once
/// The files of this build, for tests. They are asked for at run time: an object file that contains a path
/// would be compiled again in every other clone.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/installation.h"

namespace attn::testing {

inline const Installation& built() {
    static const Installation kBuilt;
    return kBuilt;
}

/// A cache of compiled submissions that the tests share, because many of them grade the same right solutions.
inline std::filesystem::path build_cache() {
    return built().worker.parent_path() / "test_cache" / "attention_lab";
}

/// The environment of a grader that uses this cache.
inline std::vector<std::string> environment() {
    return {"PATH=/usr/local/bin:/usr/bin:/bin", "XDG_CACHE_HOME=" + build_cache().parent_path().string()};
}

inline std::filesystem::path built_grader() {
    return built().worker.parent_path() / "grader";
}

}  // namespace attn::testing
