#pragma once
/// Which file of a download is whose: the platforms' names of files and folders.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/classes/downloads/entries.h"
#include "grader/classes/records.h"

namespace attn::classes {

/// One hand-in before its files are read.
struct PlannedHandIn {
    HandIn hand_in;  ///< without files
    /// Indices of entries, each with the name that the file gets.
    std::vector<std::pair<std::size_t, std::string>> files;
};

struct DownloadLayout {
    std::string platform;
    std::string root;  ///< the folder inside the download that holds the hand-ins; empty, or ends with "/"
    std::vector<PlannedHandIn> planned;
    std::vector<std::string> notes;
};

/// The names of the platforms whose downloads are read.
const std::vector<std::string>& known_platforms();

/// Recognises the platform, if none is given, by the names of most entries, and reads these names:
///   moodle      NAME_ID_assignsubmission_file[_]/..  or, flat, NAME_ID_assignsubmission_file_FILE
///   canvas      name[_LATE]_USER_ATTACHMENT_FILE (see entry_names.h for both); "-1" that Canvas adds to the
///               name of a file handed in again is taken off
///   gradescope  submission_ID/.. beside submission_metadata.yml, which read_download() reads
///   autolab     EMAIL_VERSION_FILE: every version is an attempt
///   github      folders that are git clones; EXERCISE-LOGIN, in a folder EXERCISE-submissions or not
///   folder      a folder or an archive for each student; folders in it that are all called attempt_1, 2,
///               2026-11-20 or the like are attempts
/// Throws UserError for a platform that is not known, or if no entry is a hand-in.
DownloadLayout layout_of(const DownloadEntries& download, const std::optional<std::string>& platform);

}  // namespace attn::classes
