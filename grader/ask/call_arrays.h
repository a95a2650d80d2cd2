#pragma once
/// What a call of a function gets, in one precision.

#include <vector>

#include "grader/ask/module.h"

namespace attn::ask {

/// The arrays and numbers of one call. `arguments` points into the arrays, so they may be moved but not
/// copied.
struct CallArrays {
    /// `given`: inputs as of a Question, with its options. Throws UserError like sizes_of().
    CallArrays(const Function& function, const Arrays& given, Precision precision);
    CallArrays(const CallArrays&) = delete;
    CallArrays& operator=(const CallArrays&) = delete;
    CallArrays(CallArrays&&) = default;
    CallArrays& operator=(CallArrays&&) = default;
    ~CallArrays() = default;

    Arrays outputs;                   ///< zeros
    Arrays inputs;                    ///< those that are given
    std::vector<Argument> arguments;  ///< outputs, inputs, options, in the contract's order
};

}  // namespace attn::ask
