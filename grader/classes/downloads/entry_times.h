#pragma once
/// What the times of a download tell of the time at which people handed in.

#include <filesystem>
#include <optional>
#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

/// Whether these times, one for each hand-in, differ as those of people do. Moodle and Canvas write the time of the
/// download into every entry of a zip, and unpacking or copying a folder has the same effect. Then all times lie
/// within an hour, or in a few heaps of times that follow each other within a minute, one for each download.
bool differ_as_peoples(std::vector<Moment> times);

/// Takes away the times of files that do not, and fills in `time_note`.
void leave_out_times_of_download(Download& download);

/// When the commit that HEAD names was made, as its author's machine said. Nothing without git, or for a
/// damaged clone.
/// A student made everything in the clone's .git folder, and git runs and reads what such a folder names:
/// programs of its configuration, hooks, objects of other repositories. So git never sees this folder. HEAD and the
/// branch are read here; git gets a repository of our own, to which only the plain files of commits are linked.
std::optional<Moment> clone_time(const std::filesystem::path& clone);

}  // namespace attn::classes
