#pragma once
/// The instruction set of timed code. Submissions, the plain loops and the yardstick all use this one, so
/// that a ratio of their times depends on the code and not on the compiler's flags.

#include <string>
#include <string_view>

namespace attn {

/// Why speed cannot be measured on this processor: a sentence that names the instruction set that it lacks.
/// Empty if the processor has it. `level` is a name that -march takes, such as "x86-64-v3".
std::string obstacle_to_speed(std::string_view level);

}  // namespace attn
