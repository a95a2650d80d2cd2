#pragma once
/// The calls of smaller functions that a function of an assignment makes, and helpers to write them down. If
/// the function is wrong, the judge makes these calls, too, and says which of the smaller functions are
/// right.

#include <string>
#include <vector>

#include "grader/ask/check.h"

namespace attn::ask {

/// What `function` (of any assignment) writes into `output`, by the reference in double, as float.
Array output_of(const std::string& function, const Arrays& inputs, const std::string& output);

/// The array under another name.
Array named(const std::string& name, Array array);

/// The same numbers in another shape. Throws std::invalid_argument if the count differs.
Array reshaped(Array array, Shape shape);

/// Slice 0 of the first axis, without that axis.
Array first_of(const Array& array);

/// Y = X W + b      X [.., D_in], W [D_in, D_out], b [D_out]
Array affine(const Array& X, const Array& W, const Array& b);

/// E = Q K^T / sqrt(D_q)      Q [N_q, D_q], K [N_k, D_q], E [N_q, N_k]
Array scores(const Array& Q, const Array& K);

}  // namespace attn::ask
