#pragma once
/// For tests of what is handed in: places for submissions, and what has to come of them.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "grader/build/build.h"
#include "grader/intake/intake.h"
#include "grader/testing/archives.h"

namespace attn::submission {

namespace fs = std::filesystem;

/// Files by name, with their contents. Fails where there is anything else.
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

/// A place for a submission.
struct Place {
    data::TemporaryDirectory folder;

    fs::path archive(const std::string& bytes) const { return folder.write("work", bytes); }
    fs::path mine() const {
        fs::create_directories(folder / "mine");
        return folder / "mine";
    }
    fs::path write(const std::string& name, const std::string& text) const {
        fs::create_directories((mine() / name).parent_path());
        return folder.write("mine/" + name, text);
    }
};

inline void check_taken(const fs::path& submission, const Files& expected,
                        const std::vector<std::string>& notes) {
    const Intake intake = take_in(submission);
    BOOST_TEST((files_in(intake.folder) == expected));
    BOOST_TEST(intake.notes.size() == notes.size());
    for (std::size_t k = 0; k < std::min(notes.size(), intake.notes.size()); ++k)
        BOOST_TEST((intake.notes[k].find(notes[k]) != std::string::npos),
                   "it says: " << intake.notes[k] << ", not: " << notes[k]);
}

/// An archive of these bytes is refused with a message that holds all `parts`.
inline void check_refused(const std::string& bytes, const std::vector<std::string>& parts,
                          const IntakeLimits& limits = {}) {
    const Place place;
    const std::filesystem::path archive = place.archive(bytes);
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

/// How an archive is packed.
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

}  // namespace attn::submission
