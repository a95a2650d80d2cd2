#pragma once
/// Properties of the terminal that the grader writes to.

#include <cstddef>
#include <functional>
#include <string>

namespace attn::cli {

/// Whether a descriptor is a terminal that supports escape codes.
bool is_terminal(int descriptor);

/// Whether to write colours: standard output is a terminal, and NO_COLOR is not set.
bool colour_wanted();

/// The columns of the terminal: COLUMNS, or those of standard output, between kNarrowest and kWidest; kWidest
/// if unknown.
std::size_t terminal_width();

/// The rows of the terminal: LINES, or those of standard output; 0 if unknown.
std::size_t terminal_height();
inline constexpr std::size_t kNarrowest = 50, kWidest = 110;

/// Returns a function that shows its argument in one line of standard error, replacing the previous text (""
/// clears the line). After two seconds with the same text it counts the seconds. It does nothing if standard error is
/// not a terminal.
std::function<void(const std::string& what)> progress_line();

}  // namespace attn::cli
