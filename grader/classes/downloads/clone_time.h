#pragma once
/// The time of the last commit of a git clone.

#include <filesystem>
#include <optional>

#include "grader/classes/records.h"

namespace attn::classes {

/// When the commit that HEAD names was made, as its author's machine said. Nothing without git, or for a
/// damaged clone. The clone's own configuration is not read, because git may run programs that it names.
std::optional<Moment> clone_time(const std::filesystem::path& clone);

}  // namespace attn::classes
