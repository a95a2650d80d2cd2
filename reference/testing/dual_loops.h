#pragma once
/// The plain loops over dual numbers: exact derivatives of the functions of assignments 1 to 6 and 11. The text is
/// the reference's own, so that the derivative of a function cannot drift from the function.

#include <functional>
#include <map>
#include <string>

#include "assignments/call.h"

namespace attn::testing {

/// A function of the contract. Its arrays of real numbers are arrays of Dual.
using DualLoops = std::function<void(const Argument* arguments, int count)>;

/// The functions that assignments 13 and 21 have a backward of, by name.
std::map<std::string, DualLoops> dual_loops();

}  // namespace attn::testing
