#pragma once
/// The exception for a mistake in a kernel or in its launch.

#include <stdexcept>

namespace attn::worker {

/// what() is "KIND: DESCRIPTION" of the finding: see judge/kernel_student.h.
class KernelError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace attn::worker
