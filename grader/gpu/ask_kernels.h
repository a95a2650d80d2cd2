#pragma once
/// The judge asks functions in this process, as it asks a student's in a worker.

#include <functional>
#include <string>

#include "grader/judge/student.h"

namespace attn::gpu {

/// Answers by what `find` gives for a function's name; where that is empty, the function is missing. Outputs
/// hold the poison before the call, as a worker's do, and who is not asked for one gets an empty view. Throws
/// CallError where arguments do not fit: that is a fault of ours.
judge::Ask ask_in_process(std::function<ask::Implementation(const std::string& function)> find);

/// Answers by the kernels on this machine's GPU; where there is none, every answer is "skipped", and why.
judge::Ask ask_kernels();

}  // namespace attn::gpu
