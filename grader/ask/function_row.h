#pragma once
/// A contract's functions as a table of plain values, which the build writes from the contract
/// (grader/contract/). A table compiles many times faster than code that makes the same Functions.

#include <span>
#include <vector>

#include "assignments/call.h"
#include "grader/ask/module.h"

namespace attn::ask {

/// A function, or a fact about the function above it.
struct FunctionRow {
    enum class Kind { function, output, input, length, output_length, number, choice, divides, range };
    using Caller = void (*)(const Argument* arguments, int count);

    Kind kind;
    const char* name;  ///< of the function, array or option; for `divides`, the divisor
    /// Separated by commas: dims of an array, names of choices, the length to divide, the end of a range.
    const char* words = "";
    double value = 0;       ///< the default of a number or choice, the least number of a range
    bool optional = false;  ///< of an array
    ElementType type = ElementType::f32;
    Caller f32 = nullptr, f64 = nullptr;  ///< of a function: its truth
};

/// Calls F, which has some function type.
template <auto F>
void calling(const Argument* arguments, int count) {
    call(F, arguments, count);
}

std::vector<Function> functions_of(std::span<const FunctionRow> rows);

}  // namespace attn::ask
