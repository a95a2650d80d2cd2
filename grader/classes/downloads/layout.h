#pragma once
/// Which file of a download is whose: the platforms' names of files and folders.

#include <filesystem>
#include <map>
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
///   canvas      name[_LATE]_USER_ATTACHMENT_FILE (see moodle_name() and canvas_name()); "-1" that Canvas adds to the
///               name of a file handed in again is taken off
///   gradescope  submission_ID/.. beside submission_metadata.yml, which read_download() reads
///   autolab     EMAIL_VERSION_FILE: every version is an attempt
///   github      folders that are git clones; EXERCISE-LOGIN, in a folder EXERCISE-submissions or not
///   folder      a folder or an archive for each student; folders in it that are all called attempt_1, 2,
///               2026-11-20 or the like are attempts
/// Throws UserError for a platform that is not known, or if no entry is a hand-in.
DownloadLayout layout_of(const DownloadEntries& download, const std::optional<std::string>& platform);

// The names that Moodle and Canvas give what students hand in. They are read from the front, and only as far as the
// platform wrote them: everything behind its part is the student's, who may write another student's part there.

/// NAME_ID_assignsubmission_PLUGIN, then "_" in folders of Moodle before 4.1, or "_FILE" of flat files. Moodle turns the
/// underscores of a person's name into spaces. Source: mod/assign/classes/downloader.php.
struct MoodleName {
    std::string student;  ///< NAME_ID
    std::string name, id;
    std::string plugin;  ///< "file", "onlinetext", ..
    std::string rest;    ///< the student's part; empty for a folder
};
std::optional<MoodleName> moodle_name(const std::string& text);

/// name[_LATE]_USER_ATTACHMENT_FILE, or name[_LATE]_USER_text.html and _link.html for what is no file. Where students are
/// anonymous: [LATE_]anon_ID_.., ID being letters and digits. A name may contain underscores, but Canvas lets no number
/// stand between two of them. Source: lib/content_zipper.rb.
struct CanvasName {
    std::string student;  ///< name[_LATE]_USER
    std::string name, id;
    bool late = false;
    std::string attachment, file;  ///< both empty for a text or a link
};
std::optional<CanvasName> canvas_name(const std::string& text, bool anonymous);

// Reads submission_metadata.yml, the list of submissions in Gradescope's export.

struct GradescopeSubmission {
    std::vector<Person> people;  ///< key is the sid, a text with its leading zeros
    std::optional<Moment> when;
};

/// The submissions by the name of their folder, "submission_123". Only who handed in and when is kept: the
/// rest of the file (results, history) can be very long and is skipped as it is read. Throws UserError if it
/// is no such file.
std::map<std::string, GradescopeSubmission> read_gradescope_metadata(const std::filesystem::path& file);

}  // namespace attn::classes
