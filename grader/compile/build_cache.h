#pragma once
/// A cache of compiled libraries on disk, from one grading to the next. A student who changed one assignment
/// waits for one compilation. The cache holds compiler output only, never a verdict.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/file_descriptor.h"

namespace attn::compile {

/// A library, and the compiler's messages for each of its sources (only warnings), in their order.
struct CachedBuild {
    std::string library;
    std::vector<std::string> messages;
};

/// A larger entry is not stored. When the total exceeds a limit, old entries are removed.
struct CacheLimits {
    std::size_t entry_bytes = std::size_t{8} << 20;
    std::size_t total_bytes = std::size_t{64} << 20;
    std::size_t entries = 1000;
};

/// A private folder of builds. It is used only if it belongs to this user and other users have no access; a
/// file in it is used only if it belongs to this user and others cannot write to it. A damaged entry counts
/// as missing. No function throws because of the state of the disk: without a cache the compiler runs.
class BuildCache {
  public:
    /// Creates the folder if it is missing. An empty path disables the cache.
    explicit BuildCache(const std::filesystem::path& folder, const CacheLimits& limits = {});

    bool active() const { return folder_.get() >= 0; }

    /// The entry of this key. The whole key is compared, not a digest of it.
    std::optional<CachedBuild> find(const std::string& key) const;

    /// Stores a build completely or not at all. If there are too many entries, removes the least recently
    /// used.
    void store(const std::string& key, const CachedBuild& build) const;

  private:
    void remove_oldest() const;

    CacheLimits limits_;
    FileDescriptor folder_;
};

/// $XDG_CACHE_HOME/attention_lab or ~/.cache/attention_lab; empty if neither is set.
std::filesystem::path default_cache_folder();

}  // namespace attn::compile
