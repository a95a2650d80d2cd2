#pragma once
/// The command `ask`: which passages of the course answer a question. It is a program of its own in a build, and a command
/// of the grader in a kit.

#include <filesystem>

#include "grader/cli/program.h"
#include "grader/models/commands.h"
#include "grader/search/model_files.h"

namespace attn::search {

/// `make ask Q="why divide by the root"` runs it.
int ask_command(const cli::Words& words);

/// The same for tests: with another model, which lies in `folder`, and other students.
int ask_command(const cli::Words& words, const ModelPackage& package, const std::filesystem::path& folder,
                const trained::TakeIn& take_in);

}  // namespace attn::search
