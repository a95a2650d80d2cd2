#pragma once
/// Taking in what a student hands in: a folder or an archive becomes a private folder of plain files.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/temporary_directory.h"

namespace attn::submission {

/// More than this is refused. None of it is ever reached by source code.
struct IntakeLimits {
    std::uintmax_t archive_bytes = std::uintmax_t{32} << 20;  ///< of an archive as handed in
    std::uintmax_t total_bytes = std::uintmax_t{64} << 20;    ///< of all files together
    std::uintmax_t file_bytes = std::uintmax_t{16} << 20;
    int files = 1000;
    int entries = 5000;             ///< names looked at: files, folders, what is left out
    int depth = 16;                 ///< folders inside each other
    std::size_t name_bytes = 255;   ///< longer names are left out
    std::size_t path_bytes = 1000;  ///< likewise, of a name with its folders
};

/// A submission taken in; its files last as long as this does.
struct Intake {
    data::TemporaryDirectory temporary;
    std::filesystem::path folder;  ///< inside `temporary`: what there is to grade
    std::vector<std::string>
        notes;  ///< for the report: what was left out, and what else the student should know
};

/// Copies the plain files of a folder, a .zip, a .tar or a .tar.gz (told by their contents, not by their
/// name); the submission itself is only read.
///   Links of either kind, devices, pipes and sockets are left out, and so are names that are absolute,
///   contain "..", control characters or invalid UTF-8, or are too long: each with a note. (A hard link in a
///   folder is a file like any other: copies made by `cp -al` consist of them.)
///   What systems leave in folders (__MACOSX, .DS_Store, .git and the like) is left out without a word.
///   Of two files of one name in an archive the last one counts, with a note.
///   Where all files of an archive lie in one folder, as GitHub and macOS pack them, that is the submission.
/// Throws UserError where there is no such submission, where it is no archive that is read here,
/// broken, encrypted or without files, and where it exceeds a limit, which is found out before more than the
/// limit is unpacked.
Intake take_in(const std::filesystem::path& submission, const IntakeLimits& limits = {});

}  // namespace attn::submission
