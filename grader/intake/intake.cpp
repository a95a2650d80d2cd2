#include "grader/intake/intake.h"

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/intake/file_kind.h"
#include "grader/intake/intake_folder.h"

namespace attn::intake {
namespace {

namespace fs = std::filesystem;

/// The sorted entries of a folder.
std::vector<fs::directory_entry> contents(const fs::path& folder) {
    std::vector<fs::directory_entry> all(fs::directory_iterator(folder), fs::directory_iterator{});
    std::sort(all.begin(), all.end());
    return all;
}

/// Descends while a folder holds a single folder and nothing else.
fs::path top_folder(fs::path folder) {
    for (auto inside = contents(folder); inside.size() == 1 && inside.front().is_directory();
         inside = contents(folder))
        folder = inside.front().path();
    return folder;
}

bool is_source(const fs::directory_entry& entry) {
    const fs::path extension = entry.path().extension();
    return entry.is_regular_file() && (extension == ".cpp" || extension == ".cu");
}

/// A file that may be meant as a source.
bool is_like_a_source(const fs::directory_entry& entry) {
    return entry.is_regular_file() && !source_language(entry.path().filename().string()).empty();
}

/// The subfolders with sources, if the top folder has none. This is the likeliest reason for "not handed in".
std::set<fs::path> folders_of_sources(const fs::path& folder) {
    const auto top = contents(folder);
    for (const auto is_one : {is_source, is_like_a_source}) {
        if (std::any_of(top.begin(), top.end(), is_one)) return {};
        std::set<fs::path> found;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (is_one(entry)) found.insert(fs::relative(entry.path().parent_path(), folder));
        if (!found.empty()) return found;
    }
    return {};
}

}  // namespace

Intake take_in(const fs::path& submission, const IntakeLimits& limits) {
    IntakeUse use;
    return take_in(submission, limits, use);
}

Intake take_in(const fs::path& submission, const IntakeLimits& limits, IntakeUse& use) {
    Intake intake;
    intake.folder = intake.temporary / "submission";
    fs::create_directory(intake.folder);
    IntakeFolder target(submission, intake.folder, limits, use);
    const IntakeFolder::Clock clock(target);
    std::error_code error;
    const fs::file_status status = fs::status(submission, error);
    if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
        target.refuse("there is no such folder or archive" +
                          (status.type() == fs::file_type::none ? " (" + error.message() + ")" : ""),
                      "expected the submission", "give the folder that holds the .cpp files");
    if (status.type() == fs::file_type::directory) {
        copy_folder(submission, target);
    } else {
        unpack_archive(submission, target);
        if (target.files() == 0)
            target.refuse("there is no file in the archive" +
                              (target.notes().empty() ? "" : " (" + target.notes().front() + ")"),
                          "expected the .cpp files", "pack the folder that holds them");
        const fs::path top = top_folder(intake.folder);
        if (top != intake.folder)
            target.note(fmt::format("the folder {} of the archive is graded",
                                    shown(fs::relative(top, intake.folder).string())));
        intake.folder = top;
    }
    const std::set<fs::path> where = folders_of_sources(intake.folder);
    if (where.size() == 1) {
        intake.folder /= *where.begin();
        target.note(fmt::format("the folder {} is graded, because all sources are in it",
                                shown(where.begin()->string())));
    } else if (!where.empty()) {
        target.note(fmt::format("the top folder has no source, but {} has some; hand in that folder",
                                shown(where.begin()->string())));
    }
    intake.notes = target.notes();
    return intake;
}

}  // namespace attn::intake
