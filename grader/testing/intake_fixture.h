#pragma once
/// For tests of grader/intake: test submissions, and checks of the copied files, notes and error messages.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/compile/build.h"
#include "grader/intake/intake.h"
#include "grader/testing/archives.h"

namespace attn::intake {

namespace fs = std::filesystem;

/// The contents of the files in a folder, by name. The test fails if there is anything but files and folders.
inline std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.symlink_status().type() == fs::file_type::regular)
            files[fs::relative(entry.path(), folder).string()] = data::read_file(entry.path());
        else
            BOOST_TEST((entry.symlink_status().type() == fs::file_type::directory), entry.path());
    }
    return files;
}

using Files = std::map<std::string, std::string>;

/// A submission in a temporary folder: a folder, an archive, or both.
struct TestSubmission {
    data::TemporaryDirectory temporary;

    fs::path write_archive(const std::string& bytes) const { return temporary.write("work", bytes); }
    fs::path folder() const {
        fs::create_directories(temporary / "mine");
        return temporary / "mine";
    }
    fs::path write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder() / name).parent_path());
        return temporary.write("mine/" + name, text);
    }
};

/// Checks the files that are copied of a submission, and one part of each note.
inline void check_accepted(const fs::path& submission, const Files& expected,
                           const std::vector<std::string>& notes) {
    const Intake intake = take_in(submission);
    BOOST_TEST((files_in(intake.folder) == expected));
    BOOST_TEST(intake.notes.size() == notes.size());
    for (std::size_t k = 0; k < std::min(notes.size(), intake.notes.size()); ++k)
        BOOST_TEST((intake.notes[k].find(notes[k]) != std::string::npos),
                   "it says: " << intake.notes[k] << ", not: " << notes[k]);
}

/// Checks that an archive of these bytes is refused, with a message that contains all `parts`.
inline void check_refused(const std::string& bytes, const std::vector<std::string>& parts,
                          const IntakeLimits& limits = {}) {
    const TestSubmission submission;
    const std::filesystem::path archive = submission.write_archive(bytes);
    std::string said;
    try {
        take_in(archive, limits);
    } catch (const UserError& error) {
        said = error.what();
    }
    BOOST_TEST(said.starts_with(archive.string() + ": "), "it says: " << said);
    for (const std::string& part : parts)
        BOOST_TEST((said.find(part) != std::string::npos), "it says: " << said << ", not: " << part);
}

/// A format of archives.
struct Packing {
    std::string name;
    std::function<std::string(const std::vector<Entry>&)> pack;
    friend std::ostream& operator<<(std::ostream& out, const Packing& packing) { return out << packing.name; }
};

inline const std::vector<Packing> kPackings = {
    {"zip", [](const auto& entries) { return zip_of(entries); }},
    {"tar", tar_of},
    {"tar.gz", [](const auto& entries) { return gzip_of(tar_of(entries)); }},
};

}  // namespace attn::intake
