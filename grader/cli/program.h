#pragma once
/// Runs the command of a program and handles interrupts, errors and exit codes.

#include <string>
#include <vector>

#include "grader/base/errors.h"

namespace attn::cli {

/// The exit codes of all programs. This is the only place that defines them.
enum ExitCode { kAllPassed = 0, kSomethingFailed = 1, kBadUsage = 2, kGraderFault = 3, kInterrupted = 130 };

/// The command line is invalid.
class UsageError : public UserError {
    using UserError::UserError;
};

/// The arguments of a command.
using Words = std::vector<std::string>;

/// Runs `command` with the arguments after the program's name. Returns the command's exit code or, if it
/// threw an exception, the exit code for that exception. Errors are printed as "NAME: message".
int run_program(const std::string& name, int argc, char** argv, int (*command)(const Words& words));

}  // namespace attn::cli
