#pragma once
/// A submission that is an archive. The formats are libarchive's business, the files ours.

#include "grader/intake/intake_folder.h"

namespace attn::submission {

/// Puts the files of a .zip, .tar or .tar.gz on the shelf. Nothing is unpacked but into memory, within the
/// shelf's limits. Throws UserError.
void take_archive(const std::filesystem::path& file, IntakeFolder& shelf);

}  // namespace attn::submission
