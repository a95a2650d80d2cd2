#pragma once
/// The call that an earlier report's check made, with its inputs and the expected outputs.

#include <filesystem>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "grader/ask/check.h"
#include "grader/base/installation.h"
#include "grader/report/recorded_check.h"

namespace attn {

struct RecordedCall {
    const ask::Function* function = nullptr;
    std::string about;                       ///< the case's inputs and sizes, or the property's statement
    Arrays inputs;                           ///< of the first call, where a property makes several
    Arrays expected;                         ///< all outputs; empty at sizes that the function must refuse
    std::vector<std::string> wanted;         ///< the outputs that the call asks for; empty means all
    std::filesystem::path contract;          ///< "assignments/02_self_attention/self_attention.h"
    std::vector<std::string> sources;        ///< of the submission: those of the assignment
    std::vector<std::string> other_sources;  ///< those of assignments that it builds on
};

/// Throws UserError if the rubric no longer has the check, and for checks of kernels and of speed.
RecordedCall recorded_call(const report::RecordedCheck& recorded, const Installation& installation);

}  // namespace attn
