#pragma once
/// Reads a submission from an archive. libarchive reads the formats; IntakeFolder checks and writes the
/// files.

#include "grader/intake/intake_folder.h"

namespace attn::intake {

/// Adds the files of a .zip or a .tar, also compressed by gzip, xz or bzip2, to `target`. The archive is unpacked in memory, within the
/// limits of `target`. Throws UserError.
void unpack_archive(const std::filesystem::path& file, IntakeFolder& target);

}  // namespace attn::intake
