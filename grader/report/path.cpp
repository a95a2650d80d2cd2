#include "grader/report/path.h"

#include <cstddef>

namespace attn::report {

std::string listed_in_words(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k)
        text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
    return text;
}

std::string builds_on_in_words(const PathStep& step) {
    std::vector<std::string> numbers;
    for (const int number : step.builds_on) numbers.push_back(std::to_string(number));
    return numbers.empty() ? "" : "builds on " + listed_in_words(numbers);
}

}  // namespace attn::report
