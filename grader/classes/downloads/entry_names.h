#pragma once
/// The names that Moodle and Canvas give what students hand in. They are read from the front, and only as far as the
/// platform wrote them: everything behind its part is the student's, who may write another student's part there.

#include <optional>
#include <string>

namespace attn::classes {

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

}  // namespace attn::classes
