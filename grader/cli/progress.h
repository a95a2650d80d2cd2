#pragma once
/// The progress line in the terminal.

#include <functional>
#include <string>

namespace attn::cli {

/// Returns a function that shows its argument in one line of standard error, replacing the previous text (""
/// clears the line). It does nothing if standard error is not a terminal.
std::function<void(const std::string& what)> progress_line();

}  // namespace attn::cli
