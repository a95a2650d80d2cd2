#pragma once
/// For tests: downloads as the course platforms write them, of any students with any files.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grader/classes/exports/zip_file.h"
#include "grader/classes/moments.h"
#include "grader/classes/records.h"

namespace attn::classes {

/// When the downloads are made. Moodle and Canvas write this into every entry of a zip.
inline constexpr Moment kSampleDownload = 1795420800;  // 2026-11-23T08:00:00Z

/// One delivery that a test download contains.
struct SampleHandIn {
    std::vector<Person> people;                ///< several for a group, which only Gradescope knows
    std::map<std::string, std::string> files;  ///< by name, with folders
    Moment when = 0;
    int attempt = 1;
    bool late = false;  ///< Canvas marks these
};

namespace sample {

/// Canvas' form of a name: "Doe, Jane" becomes "doejane".
inline std::string canvas_name(const std::string& name) {
    const std::size_t space = name.rfind(' ');
    std::string text = space == std::string::npos ? name : name.substr(space + 1) + name.substr(0, space),
                result;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80)
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

inline std::string yaml_text(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return quoted + '"';
}

/// Moodle turns these characters of a name into spaces or drops them.
inline std::string moodle_name(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    for (const char c : {'/', '\\', ':', '*', '?', '"', '<', '>', '|', '\n'}) std::erase(name, c);
    return name;
}

}  // namespace sample

/// The entries of a download of `platform` ("moodle", "moodle_flat", "moodle_before_4_1", "canvas",
/// "gradescope", "autolab", "folder"). It writes no clones.
inline std::vector<ZipEntry> sample_download(const std::string& platform,
                                             const std::vector<SampleHandIn>& hand_ins) {
    std::vector<ZipEntry> entries;
    std::string metadata = "---\n";
    int number = 1000;
    for (const SampleHandIn& one : hand_ins) {
        const Person& person = one.people.front();
        ++number;
        if (platform == "gradescope") {
            metadata += fmt::format("submission_{}:\n  :submitters:\n", number);
            for (const Person& each : one.people)
                metadata +=
                    fmt::format("  - :name: {}\n    :sid: '{}'\n    :email: {}\n",
                                sample::yaml_text(each.name), each.key, sample::yaml_text(each.email));
            std::string when = moment_text(one.when);
            when.replace(when.find('T'), 1, " ").replace(when.find('Z'), 1, ".123456000 Z");
            metadata += fmt::format(
                "  :created_at: {}\n  :score: 1.0\n  :status: processed\n  :results:\n    tests:\n"
                "    - name: \"softmax: Y\"\n      output: |\n        :created_at: not this\n",
                when);
        }
        for (const auto& [name, bytes] : one.files) {
            std::string path;
            const std::string moodle =
                fmt::format("{}_{}_assignsubmission_file", sample::moodle_name(person.name), person.key);
            if (platform == "moodle") path = moodle + "/" + name;
            if (platform == "moodle_before_4_1") path = moodle + "_/" + name;
            if (platform == "moodle_flat") path = moodle + "_" + name;
            if (platform == "canvas")
                path = fmt::format("{}_{}{}_{}_{}", sample::canvas_name(person.name), one.late ? "LATE_" : "",
                                   person.key, ++number, name);
            if (platform == "gradescope")
                path = fmt::format("assignment_77_export/submission_{}/{}", number, name);
            if (platform == "autolab") path = fmt::format("{}_{}_{}", person.email, one.attempt, name);
            if (platform == "folder")
                path = fmt::format("{}/{}{}", sample::moodle_name(person.name),
                                   one.attempt > 1 ? fmt::format("attempt_{}/", one.attempt) : "", name);
            const bool keeps_time = platform == "folder" || platform == "gradescope" || platform == "autolab";
            entries.push_back({path, bytes, keeps_time ? one.when : kSampleDownload});
        }
    }
    if (platform == "gradescope")
        entries.push_back({"assignment_77_export/submission_metadata.yml", metadata, {}});
    return entries;
}

inline void write_sample_zip(const std::filesystem::path& file, const std::vector<ZipEntry>& entries) {
    ZipFile zip(file);
    for (const ZipEntry& entry : entries) zip.add(entry);
    zip.close();
}

/// The same files in a folder.
inline void write_sample_folder(const std::filesystem::path& folder, const std::vector<ZipEntry>& entries) {
    for (const ZipEntry& entry : entries) {
        const std::filesystem::path path = folder / entry.name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << entry.bytes;
    }
}

}  // namespace attn::classes
