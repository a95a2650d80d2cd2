#pragma once
/// Floating-point operations of a direct computation of each function, for speeds in GFLOP/s.
/// Each +, -, *, / and each maximum of two numbers counts 1, so a sum of n products counts 2 n. Each exp,
/// tanh, square root and activation counts 1, too. Scores that a mask forbids are counted as well. A value
/// that is the same in every step is counted once. The count is not a lower bound: a program that skips
/// masked scores, or multiplies matrices in a better order, needs fewer operations.

#include <functional>
#include <string>

#include "grader/ask/dims.h"

namespace attn::ask::flop {

/// [n, k] times [k, m]
double product(double n, double k, double m);
/// Softmax of `rows` rows of n numbers: maximum, differences, exp, sum, quotients.
double softmax(double rows, double n);

/// The count of this function of a contract (see assignments/), by the lengths of its letters. Empty if its
/// operations are not counted.
std::function<double(const Sizes&)> operations_of(const std::string& function);

}  // namespace attn::ask::flop
