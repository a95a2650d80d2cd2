#pragma once
/// A submission that is a folder.

#include "grader/intake/intake_folder.h"

namespace attn::submission {

/// Puts the files of a folder and of those inside it on the shelf, in the order of their names. No link is
/// followed below `folder`, and nothing but files and folders is opened. Throws UserError where the
/// folder cannot be read; what cannot be read inside it is left out.
void take_folder(const std::filesystem::path& folder, IntakeFolder& shelf);

}  // namespace attn::submission
