#pragma once
/// What every program of the grader does around its command: interrupts, errors, exit codes.

#include <string>
#include <vector>

#include "grader/base/errors.h"

namespace attn::cli {

/// What the exit code of a program says. This is the one place that decides it.
enum ExitCode { kAllPassed = 0, kSomethingFailed = 1, kBadUsage = 2, kGraderFault = 3, kInterrupted = 130 };

/// A command line that the program does not understand.
class UsageError : public UserError {
    using UserError::UserError;
};

using Words = std::vector<std::string>;

/// Runs `command` with the words after the program's name and returns the exit code of the program: the
/// command's own, or that of the exception that left it. Errors are printed as "NAME: what is wrong".
int run_program(const std::string& name, int argc, char** argv, int (*command)(const Words& words));

}  // namespace attn::cli
