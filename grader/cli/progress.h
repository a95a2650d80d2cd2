#pragma once
/// What people see while they wait.

#include <functional>
#include <string>

namespace attn::cli {

/// Shows what is being done in one line of standard error, each call overwriting it ("" clears it); does
/// nothing where nobody watches.
std::function<void(const std::string& what)> progress_line();

}  // namespace attn::cli
