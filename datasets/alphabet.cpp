#include "datasets/alphabet.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "datasets/files/file_error.h"

namespace attn::data {

Alphabet::Alphabet(std::string_view text) : characters_(text) {
    const auto code = [](char c) { return static_cast<unsigned char>(c); };
    std::sort(characters_.begin(), characters_.end(), [&](char a, char b) { return code(a) < code(b); });
    characters_.erase(std::unique(characters_.begin(), characters_.end()), characters_.end());
}

std::vector<std::int32_t> Alphabet::numbers(std::string_view text) const {
    std::vector<std::int32_t> result;
    for (const char c : text) {
        const std::size_t at = characters_.find(c);
        if (at == std::string::npos)
            throw std::invalid_argument("the character " + in_quotes({&c, 1}) + " is not one of " +
                                        in_quotes(characters_, characters_.size()));
        result.push_back(static_cast<std::int32_t>(at));
    }
    return result;
}

std::string Alphabet::text(const std::vector<std::int32_t>& numbers) const {
    std::string result;
    for (const std::int32_t number : numbers) {
        if (number < 0 || number >= size())
            throw std::invalid_argument("there is no character " + std::to_string(number) +
                                        "; the alphabet has 0 .. " + std::to_string(size() - 1));
        result += characters_[static_cast<std::size_t>(number)];
    }
    return result;
}

}  // namespace attn::data
