#pragma once
/// Reads a submission from a folder.

#include "grader/intake/intake_folder.h"

namespace attn::intake {

/// Adds the files of `folder` and its subfolders to `target`, in the order of their names. No link below
/// `folder` is followed, and only regular files and folders are opened. An unreadable entry is left out with
/// a note. Throws UserError if `folder` itself cannot be read.
void copy_folder(const std::filesystem::path& folder, IntakeFolder& target);

}  // namespace attn::intake
