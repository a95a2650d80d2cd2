#pragma once
/// The grader's commands. Each takes the arguments after its name, returns the exit code (program.h), and
/// throws UsageError for invalid arguments.

#include <string_view>

#include "grader/cli/program.h"

namespace attn::cli {

/// Runs the command that the first word names.
int dispatch(const Words& words);

int grade_command(const Words& words);
int explain_command(const Words& words);
int debug_command(const Words& words);
int diff_command(const Words& words);
int run_command(const Words& words);
int example_command(const Words& words);
int quiz_command(const Words& words);
int doctor_command(const Words& words);
int list_command(const Words& words);
int watch_command(const Words& words);
int emulate_command(const Words& words);
int prepare_command(const Words& words);
/// Prints which targets of the build a submission needs beside the grader: "speed" if a .cpp file has a statement,
/// "kernels" if a .cu file has one. The Makefile asks, because only the grader reads submissions safely.
int needs_command(const Words& words);
int new_command(const Words& words);
int catalogue_command(const Words& words);
int class_command(const Words& words);  ///< runs the program grader-class in place of this one

/// The documented functions of headers with helpers. The build writes it (grader/contract/).
extern const std::string_view kHelperText;

}  // namespace attn::cli
