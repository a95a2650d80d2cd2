#pragma once
/// For tests: the names that course platforms give what students hand in, made as the platforms' source code makes them.

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attn::testing {

/// Moodle's clean_filename() (lib/moodlelib.php, PARAM_FILE).
inline std::string moodle_clean(std::string text) {
    std::erase_if(text, [](unsigned char c) {
        return c < 0x20 || c == 0x7f ||
               std::string_view("&<>\"`|':\\/").find(static_cast<char>(c)) != std::string_view::npos;
    });
    return std::regex_replace(text, std::regex(R"(\.\.+)"), "");
}

/// The part of a person (mod/assign/classes/downloader.php, get_student_prefix).
inline std::string moodle_prefix(std::string full_name, int id) {
    std::ranges::replace(full_name, '_', ' ');
    return moodle_clean(fmt::format("{}_{}", full_name, id));
}

/// A file of the download, in folders or flat (load_submissionplugin_filelist).
inline std::string moodle_entry(const std::string& full_name, int id, const std::string& file, bool folders) {
    const std::string prefix = moodle_prefix(full_name, id) + "_assignsubmission_file";
    return folders ? moodle_clean(prefix) + "/" + file : moodle_clean(prefix + "_" + file);
}

/// A file of Canvas' download (lib/content_zipper.rb, get_filename and add_upload_submission). `anonymous`: the id of an
/// anonymous submission; a real one has the person's sortable name and number.
inline std::string canvas_entry(const std::string& sortable_name, int user, bool late, int attachment,
                                const std::string& file, const std::string& anonymous = "") {
    std::string name = std::regex_replace(sortable_name, std::regex("_(\\d+)_"), "$1");
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::vector<std::string> parts;
    if (anonymous.empty()) parts.push_back(name);
    if (late) parts.emplace_back("LATE");
    parts.push_back(anonymous.empty() ? std::to_string(user) : "anon_" + anonymous);
    std::string joined = fmt::format("{}", fmt::join(parts, "_"));
    std::erase_if(joined, [](unsigned char c) { return c < 0x80 && std::isalnum(c) == 0 && c != '_'; });
    return fmt::format("{}_{}_{}", joined, attachment,
                       std::regex_replace(file, std::regex(R"([\\/:*?"<>|]+)"), "_"));
}

/// A file of Autolab's download (app/controllers/submissions_controller.rb): the name of the file is the assessment's.
inline std::string autolab_entry(const std::string& email, int version, const std::string& file) {
    return fmt::format("{}_{}_{}", email, version, file);
}

/// One submission in Gradescope's submission_metadata.yml, as Ruby's YAML writes its symbols.
inline std::string gradescope_submission(int number,
                                         const std::vector<std::array<std::string, 3>>& submitters,
                                         const std::string& created_at) {
    std::string text = fmt::format("submission_{}:\n  :submitters:\n", number);
    for (const auto& [name, sid, email] : submitters)
        text += fmt::format("  - :name: {}\n    :sid: '{}'\n    :email: {}\n", name, sid, email);
    return text + fmt::format("  :created_at: {}\n  :score: 0.0\n  :status: processed\n", created_at);
}

}  // namespace attn::testing
