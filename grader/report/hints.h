#pragma once
/// How much a report tells of the edit of the plain loops that explains a wrong answer.

#include <array>
#include <string_view>

namespace attn::report {

enum class Hints {
    question,  ///< the equation, and a question
    place,     ///< also what kind of thing differs there
    name       ///< what differs, in words
};

inline constexpr std::array<std::string_view, 3> kHintsNames{"question", "place", "name"};

}  // namespace attn::report
