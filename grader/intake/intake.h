#pragma once
/// Copies a submission, a folder or an archive, into a private folder of regular files.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/files/temporary_directory.h"

namespace attn::intake {

/// A submission that exceeds a limit is refused. The limits are far above what source code needs.
struct IntakeLimits {
    std::uintmax_t archive_bytes = std::uintmax_t{32} << 20;  ///< of the archive itself, packed
    std::uintmax_t total_bytes = std::uintmax_t{64} << 20;    ///< of all files together
    std::uintmax_t file_bytes = std::uintmax_t{16} << 20;
    int files = 1000;
    int entries = 5000;             ///< files and folders, with those that are left out
    int depth = 16;                 ///< of nested folders
    int archives = 50;              ///< with those inside others, where these are opened, too
    double processor_s = 20;        ///< to unpack and copy
    std::size_t name_bytes = 255;   ///< longer names are left out
    std::size_t path_bytes = 1000;  ///< of a name with its folders; longer ones are left out
};

/// What a submission has used of its limits. One object for all archives of a submission makes its limits hold for
/// them together, at all levels of nesting.
struct IntakeUse {
    std::uintmax_t bytes = 0;  ///< of all files that were written, archives inside archives among them
    int files = 0, entries = 0, archives = 0;
    double processor_s = 0;
};

/// A copied submission. Its files exist as long as this object.
struct Intake {
    data::TemporaryDirectory temporary;
    std::filesystem::path folder;  ///< inside `temporary`: the folder to grade
    /// For the report: which entries were left out, and other hints for the student.
    std::vector<std::string> notes;
};

/// Copies the regular files of a folder, a .zip or a .tar, also compressed by gzip, xz or bzip2. The contents decide which format a file
/// has, not its name. The submission itself is only read.
///   Symbolic and hard links, devices, pipes and sockets are left out with a note. So are names that are
///   absolute, too long, or contain "..", control characters or, in a folder, invalid UTF-8, and precompiled headers (.gch,
///   .pch, files or folders), because compilers read them in place of the header of that name. Names of an archive
///   that are not UTF-8 are read as Windows wrote them (see utf8_name()). (A hard link
///   in a folder is copied like any other file: folders made by `cp -al` consist of hard links.) Files of the
///   operating system or of tools (__MACOSX, .DS_Store, .git and others) are left out without a note. If an
///   archive has two files of one name, the last one counts, with a note. If all files of an archive are in
///   one folder, as GitHub and macOS pack them, that folder is graded.
/// Throws UserError if there is no such submission; if it is not a supported archive; if the archive is
/// damaged, encrypted or without files; and if it exceeds a limit. Never unpacks more than the limit.
Intake take_in(const std::filesystem::path& submission, const IntakeLimits& limits = {});

/// The same, for a submission that has used part of its limits already; `use` grows.
Intake take_in(const std::filesystem::path& submission, const IntakeLimits& limits, IntakeUse& use);

}  // namespace attn::intake
