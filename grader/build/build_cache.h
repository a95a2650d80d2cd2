#pragma once
/// What the compiler made of a submission, kept from one grading to the next: who changes one file waits for
/// one compilation. Kept is what came out of the sandbox, never a verdict.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/worker/file_descriptor.h"

namespace attn::submission {

/// A library and what the compiler said of its sources (warnings; there were no errors), in their order.
struct KeptBuild {
    std::string library;
    std::vector<std::string> messages;
};

/// More than this is not kept.
struct CacheLimits {
    std::size_t entry_bytes = std::size_t{8} << 20;
    std::size_t total_bytes = std::size_t{64} << 20;
    std::size_t entries = 1000;
};

/// A private folder of such builds. It is used only if it is a folder of this user that nobody else may look
/// into or change, and so is each file in it; what is broken is not there. Nothing here throws for what lies
/// on the disk: without a cache the compiler runs.
class BuildCache {
  public:
    /// Makes the folder where it is missing. An empty name: nothing is kept.
    explicit BuildCache(const std::filesystem::path& folder, const CacheLimits& limits = {});

    bool active() const { return folder_.get() >= 0; }

    /// What was kept of exactly this. `made_of` is compared whole, not by a digest.
    std::optional<KeptBuild> find(const std::string& made_of) const;

    /// Keeps a build, whole or not at all, and forgets the longest unused ones where there are too many.
    void keep(const std::string& made_of, const KeptBuild& build) const;

  private:
    void make_room() const;

    CacheLimits limits_;
    worker::FileDescriptor folder_;
};

/// $XDG_CACHE_HOME/attention_lab or ~/.cache/attention_lab; empty where neither is known.
std::filesystem::path default_cache_folder();

}  // namespace attn::submission
