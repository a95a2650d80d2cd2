#pragma once
/// The grader's commands, each with the words that follow its name. They return the exit code and throw
/// UsageError for words that they do not understand.

#include <stdexcept>
#include <string>
#include <vector>

namespace attn::cli {

/// What the grader's exit code says.
enum ExitCode { kAllPassed = 0, kSomethingFailed = 1, kBadUsage = 2, kGraderFault = 3, kInterrupted = 130 };

class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Words = std::vector<std::string>;

int grade_command(const Words& words);
int explain_command(const Words& words);
int diff_command(const Words& words);
int run_command(const Words& words);
int selfcheck_command(const Words& words);
int doctor_command(const Words& words);
int list_command(const Words& words);
int emulate_command(const Words& words);
int prepare_command(const Words& words);

}  // namespace attn::cli
