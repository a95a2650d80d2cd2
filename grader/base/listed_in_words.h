#pragma once
/// A list as people say it.

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// "a", "a and b", "a, b and c"; or with another word than "and".
inline std::string listed_in_words(const std::vector<std::string>& words, std::string_view last = "and") {
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (k > 0 && k + 1 == words.size())
            text.append(" ").append(last).append(" ");
        else if (k > 0)
            text += ", ";
        text += words[k];
    }
    return text;
}

}  // namespace attn
