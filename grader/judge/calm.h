#pragma once
/// When did the machine do nothing else? Processors are shared with neighbours that nobody here can see: they
/// slow down code that uses a core well by half, and plain loops by a sixth, for seconds on end. That changes
/// the ratio between them, so ratios are taken from calm moments: those in which the plain loops and the
/// yardstick, which are always the same, take no longer than they usually do at their best. What the student
/// does has no part in the choice.

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace attn::judge {

/// Times of a call, in seconds.
struct Level {
    double plain_s = 0, yardstick_s = 0;
};

/// The best of what was seen before on this machine, by name of what was measured. Kept for the life of the
/// process, and in a file where one is named; one that cannot be read or written is as good as none.
class CalmLevels {
  public:
    explicit CalmLevels(std::filesystem::path file = {});
    /// The level of earlier measurements; zeros where there were none.
    Level before(const std::string& name) const;
    /// Takes note of a measurement's own level. A better one counts at once; a worse one by a fiftieth each
    /// time, for machines do get slower.
    void note(const std::string& name, Level own);

  private:
    std::filesystem::path file_;
    std::map<std::string, Level> levels_;
};

/// The level of one measurement by itself: what a fifth of its restarts did not exceed.
Level level_of(const std::vector<Level>& restarts);

/// The restarts that were calm, measured by the better of both levels (zero: not known).
std::vector<std::size_t> calm_ones(const std::vector<Level>& restarts, Level before);

}  // namespace attn::judge
