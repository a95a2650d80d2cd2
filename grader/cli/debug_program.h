#pragma once
/// A small C++ program that makes the call of one check, for a debugger.

#include <string>

#include "grader/contract/contract.h"
#include "grader/grading/replay.h"

namespace attn::cli {

struct DebugProgram {
    std::string main;    ///< debug.cpp: the call, and prints of what it gives
    std::string arrays;  ///< arrays.h: the numbers of the inputs and of the expected outputs
};

/// `id`: of the check. `contract`: that of the call's function.
DebugProgram debug_program(const std::string& id, const RecordedCall& call,
                           const contract::Contract& contract);

}  // namespace attn::cli
