#pragma once
/// The [cuda] table of a rubric. Kernels compute the same functions on a GPU.

#include <string>

namespace attn::rubric {

struct CudaRubric {
    enum class Counted { when_begun, always, never };

    std::string source;  ///< the student's file that defines them
    /// Whether the total includes the points for kernels: always, never, or as soon as a kernel writes any
    /// output.
    Counted counted = Counted::when_begun;
    double time_s = 20;  ///< time limit of one call on the emulator
};

class TableReader;

/// Reads the table [cuda]. Throws UserError for anything that is not valid.
CudaRubric read_cuda(TableReader reader);

}  // namespace attn::rubric
