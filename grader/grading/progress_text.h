#pragma once
/// What a terminal shows while an assignment is graded.

#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "grader/rubric/rubric.h"

namespace attn {

/// "14 Training [#####.....] 5 of 9: speed of train". `part`: counted from 0; the bar is full at the last part.
inline std::string progress_text(const rubric::Rubric& rubric, std::size_t part, const std::string& what) {
    constexpr std::size_t kCells = 10;
    const std::size_t parts = rubric.parts.size(), full = kCells * (part + 1) / parts;
    return fmt::format("{} {} [{}{}] {} of {}: {}", rubric.number, rubric.title, std::string(full, '#'),
                       std::string(kCells - full, '.'), part + 1, parts, what);
}

}  // namespace attn
