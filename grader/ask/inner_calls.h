#pragma once
/// The calls of smaller functions that a function of an assignment makes, and helpers for making inputs of calls.
/// If the function is wrong, the judge makes these calls, too, and says which of the smaller functions are right.

#include <string>
#include <vector>

#include "grader/ask/module.h"

namespace attn::ask {

/// A call that a function makes of a smaller function of the same module.
struct InnerCall {
    std::string function;
    Arrays inputs;  ///< with the options
};

/// The calls that `function` makes for these inputs: of each smaller function the first 16, in order. They are seen
/// while the plain loops run. A function that another one of them calls is left out.
std::vector<InnerCall> inner_calls(const Function& function, const Arrays& inputs);

/// What `function` (of any assignment) writes into `output`, by the reference in double, as float.
Array output_of(const std::string& function, const Arrays& inputs, const std::string& output);

/// The array under another name.
Array named(const std::string& name, Array array);

/// The same numbers in another shape. Throws std::invalid_argument if the count differs.
Array reshaped(Array array, Shape shape);

/// Y = X W + b      X [.., D_in], W [D_in, D_out], b [D_out]
Array affine(const Array& X, const Array& W, const Array& b);

}  // namespace attn::ask
