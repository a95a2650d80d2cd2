#pragma once
/// Runs the check of each function in a process of its own, so that a kernel that does not end, or that makes
/// the device unusable for its process, costs only this function.

#include <string>
#include <vector>

#include "grader/gpu/gpu_report.h"

namespace attn::gpu {

/// How a child ended. It inherits the environment and stderr; its stdout is dropped.
struct ChildEnding {
    int exit_code = 0;
    std::string problem;  ///< "its process was stopped after 5 s"; empty if it ended by itself
};

/// Runs a program until it ends or `limit_s` seconds have passed. Throws std::system_error if it cannot
/// start.
ChildEnding run_child(const std::vector<std::string>& words, double limit_s);

/// The report that `program ARGUMENTS --json FILE` writes about one function. A child that does not end,
/// crashes, or writes no report, is a failure of the function.
FunctionReport check_in_child(std::vector<std::string> words, const std::string& module,
                              const std::string& function, double limit_s);

/// Runs `words` under each tool of compute-sanitizer, one after the other. Empty if it is found neither in
/// PATH nor in the toolkit's usual place.
std::vector<SanitizerPass> run_sanitizer(const std::vector<std::string>& words, double limit_s);

}  // namespace attn::gpu
