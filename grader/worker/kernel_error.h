#pragma once
/// What the worker's side of a CUDA call throws where a kernel, or how it was started, is at fault.

#include <stdexcept>

namespace attn::worker {

/// what(): the finding's kind, ": ", and what was found: see judge/kernel_student.h.
class KernelError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace attn::worker
