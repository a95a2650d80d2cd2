#pragma once
/// What the grader knows of the terminal that it writes to.

#include <cstddef>

namespace attn::cli {

/// Whether a descriptor is a terminal that understands more than text.
bool is_terminal(int descriptor);

/// Whether standard output is to be coloured: a terminal, and nobody has set NO_COLOR.
bool colour_wanted();

/// Columns of the terminal behind standard output, or COLUMNS; where nobody says, and above it, kWidest.
std::size_t terminal_width();
inline constexpr std::size_t kNarrowest = 50, kWidest = 110;

}  // namespace attn::cli
