#pragma once
/// Reads what an instructor downloads from a course platform.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "grader/classes/records.h"

namespace attn::classes {

/// Unpacks a download into `scratch`, an empty folder, and says whose is what. The platform is recognised
/// (see layout.h) unless it is given. The files of every hand-in are copied into a folder whose name is a
/// number; a student's archives are unpacked, also one inside another. Names of files with control
/// characters, links, devices and the like are left out, and each hand-in may have what a submission may (see
/// grader/intake). What is wrong with one hand-in is its `problem`, and the others are read.
/// The time of a hand-in is what the platform says, or that of the last commit, or the newest time of its files. Times of
/// files that are those of the download (see entry_times.h) are left out, and `time_note` says so.
/// Throws UserError if there is no download, or nothing in it can be read.
Download read_download(const std::filesystem::path& given, const std::filesystem::path& scratch,
                       const std::optional<std::string>& platform = std::nullopt);

/// What went wrong in `step`, which takes one hand-in: a sentence, empty if nothing did. An exception of any
/// type is a problem of this hand-in alone. Only what concerns all of them is thrown on: an interruption, faults
/// of the machine, such as a full disk, and damage of the archive that holds all hand-ins (ArchiveDamage; that of
/// a student's own archive is a UserError).
std::string problem_in(const std::function<void()>& step);

}  // namespace attn::classes
