#pragma once
/// What a rubric says of an assignment's kernels: the same functions, written once more for a GPU.

#include <string>

namespace attn::submission {

struct CudaRubric {
    enum class Counted { when_begun, always, never };

    std::string source;  ///< the student's file that defines them
    /// Whether their points are part of the total: always; never; or as soon as one of them writes anything.
    Counted counted = Counted::when_begun;
    double time_s = 20;  ///< of one call on the emulator
};

class TableReader;

/// A rubric's [cuda]. Throws UserError for whatever does not fit.
CudaRubric read_cuda(TableReader reader);

}  // namespace attn::submission
