#pragma once
/// The command `show`: a trained model whose functions are the student's, as a page. `make show A=6` runs it.

#include "grader/cli/program.h"

namespace attn::trained {

int show_command(const cli::Words& words);

}  // namespace attn::trained
