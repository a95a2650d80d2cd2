#pragma once
/// Whether the times of a download's files tell when people handed in.

#include <vector>

#include "grader/classes/records.h"

namespace attn::classes {

/// Whether these times, one for each hand-in, differ as those of people do. Moodle and Canvas write the time of the
/// download into every entry of a zip, and unpacking or copying a folder has the same effect. Then all times lie
/// within an hour, or in a few heaps of times that follow each other within a minute, one for each download.
bool differ_as_peoples(std::vector<Moment> times);

/// Takes away the times of files that do not, and fills in `time_note`.
void leave_out_times_of_download(Download& download);

}  // namespace attn::classes
