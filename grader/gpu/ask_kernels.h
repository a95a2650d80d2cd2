#pragma once
/// Lets the judge call functions in this process, in the same way as a student's functions in a worker.

#include <functional>
#include <string>

#include "grader/judge/student.h"

namespace attn::gpu {

/// Calls the implementation that `find` returns for a function's name; an empty one means that the function
/// is missing. As in a worker, outputs hold the poison before the call, and an output that is not wanted is
/// an empty view. Throws CallError if the arguments do not fit, which is a fault of ours.
judge::CallFunction ask_in_process(std::function<ask::Implementation(const std::string& function)> find);

/// Calls the kernels on this machine's GPU. Without a GPU every answer is "skipped", with the reason.
judge::CallFunction ask_kernels();

}  // namespace attn::gpu
