#include "grader/intake/intake.h"

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "grader/build/build.h"
#include "grader/intake/from_archive.h"
#include "grader/intake/from_folder.h"
#include "grader/intake/intake_folder.h"

namespace attn::submission {
namespace {

namespace fs = std::filesystem;

/// What a folder holds, by name.
std::vector<fs::directory_entry> contents(const fs::path& folder) {
    std::vector<fs::directory_entry> all(fs::directory_iterator(folder), fs::directory_iterator{});
    std::sort(all.begin(), all.end());
    return all;
}

/// The innermost folder that holds everything there is.
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

/// The folders that sources lie in, if there are none at the top: the likeliest reason for "not handed in".
std::set<fs::path> folders_of_sources(const fs::path& folder) {
    const auto top = contents(folder);
    if (std::any_of(top.begin(), top.end(), is_source)) return {};
    std::set<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (is_source(entry)) found.insert(fs::relative(entry.path().parent_path(), folder));
    return found;
}

}  // namespace

Intake take_in(const fs::path& submission, const IntakeLimits& limits) {
    Intake intake;
    intake.folder = intake.temporary / "submission";
    fs::create_directory(intake.folder);
    IntakeFolder shelf(submission, intake.folder, limits);
    std::error_code error;
    const fs::file_status status = fs::status(submission, error);
    if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
        shelf.refuse("there is no such folder or archive" +
                         (status.type() == fs::file_type::none ? " (" + error.message() + ")" : ""),
                     "expected the one that was handed in", "give the folder that holds the .cpp files");
    if (status.type() == fs::file_type::directory) {
        take_folder(submission, shelf);
    } else {
        take_archive(submission, shelf);
        if (shelf.files() == 0)
            shelf.refuse("there is no file in the archive" +
                             (shelf.notes().empty() ? "" : " (" + shelf.notes().front() + ")"),
                         "expected the .cpp files", "pack the folder that holds them");
        const fs::path top = top_folder(intake.folder);
        if (top != intake.folder)
            shelf.note(fmt::format("graded is the folder {} of the archive",
                                   shown(fs::relative(top, intake.folder).string())));
        intake.folder = top;
    }
    const std::set<fs::path> where = folders_of_sources(intake.folder);
    if (where.size() == 1) {
        intake.folder /= *where.begin();
        shelf.note(fmt::format("graded is the folder {}, because all sources lie there",
                               shown(where.begin()->string())));
    } else if (!where.empty()) {
        shelf.note(fmt::format("no source lies at the top, but there are some in {}; hand in that folder",
                               shown(where.begin()->string())));
    }
    intake.notes = shelf.notes();
    return intake;
}

}  // namespace attn::submission
