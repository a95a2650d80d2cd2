#include "grader/base/timed_level.h"

namespace attn {
namespace {

/// Whether this processor can run code that is compiled with -march=LEVEL. Every processor has the levels
/// that are not named here: they are the compiler's default.
bool processor_has([[maybe_unused]] std::string_view level) {
#if defined(__x86_64__)
    // What is new in the level. (Clang knows the name of the level since 16 only. Its other instructions, f16c, lzcnt and
    // movbe, are in every processor that has these.)
    if (level == "x86-64-v3")
        return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
               __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("fma") != 0;
#endif
    return true;
}

}  // namespace

std::string obstacle_to_speed(std::string_view level) {
    if (processor_has(level)) return {};
    std::string text = "this processor cannot run code for ";
    text += level;
    text += ", which timed code is compiled for";
    if (level == "x86-64-v3") text += "; a processor with AVX2, from 2013 or later, can";
    return text;
}

}  // namespace attn
