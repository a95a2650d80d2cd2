#pragma once
/// The grader's commands, each with the words that follow its name. They return the exit code and throw
/// UsageError for words that they do not understand.

#include "grader/cli/program.h"

namespace attn::cli {

int grade_command(const Words& words);
int explain_command(const Words& words);
int diff_command(const Words& words);
int run_command(const Words& words);
int doctor_command(const Words& words);
int list_command(const Words& words);
int emulate_command(const Words& words);
int prepare_command(const Words& words);
int new_command(const Words& words);

}  // namespace attn::cli
