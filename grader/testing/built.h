#pragma once
/// The files of this build, for tests. They are asked for at run time: an object file that contains a path
/// would be compiled again in every other clone.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/installation.h"
#include "grader/proof/proof_submissions.h"

namespace attn::testing {

inline const Installation& built() {
    static const Installation kBuilt;
    return kBuilt;
}

/// The environment of a grader that uses the cache of compiled submissions that the tests share.
inline std::vector<std::string> environment() {
    return {"PATH=/usr/local/bin:/usr/bin:/bin",
            "XDG_CACHE_HOME=" + proof::build_cache(built()).parent_path().string()};
}

inline std::filesystem::path built_grader() {
    return built().worker.parent_path() / "grader";
}

}  // namespace attn::testing
