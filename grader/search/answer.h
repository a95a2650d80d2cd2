#pragma once
/// The answer to a question: the passages that are most like it, in the terminal and as a page.

#include <functional>
#include <string>
#include <vector>

#include "grader/models/model_page.h"
#include "grader/models/student_or_reference.h"
#include "grader/search/passage_vectors.h"

namespace attn::search {

struct Answered {
    std::string question;
    const std::vector<Passage>& passages;
    const Array& vectors;  ///< of the passages [M, D]
    Array v;               ///< of the question [1, D]
    std::vector<Found> found;
    std::string verdict;  ///< what there is to say besides, in sentences; empty
    bool good = true;     ///< whether the functions that computed v are right
    std::vector<trained::UsedFunction> origins = {};
};

inline constexpr std::size_t kShown = 5;

/// "1  0.612  assignments/02_self_attention/README.md:205", the headings and the first lines of each passage, in so many
/// columns.
std::string in_words(const Answered& answered, std::size_t columns);

/// The same with whole passages, and a map of all passages.
trained::ModelPage page_of(const Answered& answered);

}  // namespace attn::search
