#pragma once
/// How much a report tells of the edit of the plain loops that explains a wrong answer.

namespace attn::judge {

enum class Hints {
    question,  ///< the equation, and a question
    place,     ///< also what kind of thing differs there
    name       ///< what differs, in words
};

}  // namespace attn::judge
