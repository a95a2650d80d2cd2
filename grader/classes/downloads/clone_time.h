#pragma once
/// The time of the last commit of a git clone.

#include <filesystem>
#include <optional>

#include "grader/classes/records.h"

namespace attn::classes {

/// When the commit that HEAD names was made, as its author's machine said. Nothing without git, or for a
/// damaged clone.
/// A student made everything in the clone's .git folder, and git runs and reads what such a folder names:
/// programs of its configuration, hooks, objects of other repositories. So git never sees this folder. HEAD and the
/// branch are read here; git gets a repository of our own, to which only the plain files of commits are linked.
std::optional<Moment> clone_time(const std::filesystem::path& clone);

}  // namespace attn::classes
