#pragma once
/// The calls that plain loops make of other functions, with their arguments.

#include <optional>
#include <span>
#include <vector>

#include "assignments/array.h"
#include "assignments/call.h"
#include "grader/edits/program.h"

namespace attn::edits {

/// A call with the arguments as they were before it, in the order of an Argument list. A number is an array of
/// shape []. Nothing stands for a view that is absent.
struct RecordedCall {
    int function = 0;
    std::vector<std::optional<Array>> arguments;
};

/// Runs a function in double and returns the calls of each function among `wanted`, without those that are made inside of
/// such a call: of each function the first 16. After a million iterations it ends with what it has.
std::vector<RecordedCall> calls_of(const Program& program, int function, std::span<const Argument> arguments,
                                   const std::vector<int>& wanted);

}  // namespace attn::edits
