#pragma once
/// Characters as numbers, for models that read and write text by characters.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn::data {

/// A set of different characters, which are numbered 0, 1, .. in the order of their codes.
class Alphabet {
  public:
    /// The characters that occur in `text`.
    explicit Alphabet(std::string_view text);

    int size() const { return static_cast<int>(characters_.size()); }
    const std::string& characters() const { return characters_; }

    /// The numbers of the characters. Throws std::invalid_argument for a character of another alphabet.
    std::vector<std::int32_t> numbers(std::string_view text) const;

    /// The characters of the numbers. Throws std::invalid_argument for a number outside of 0 .. size() - 1.
    std::string text(const std::vector<std::int32_t>& numbers) const;

  private:
    std::string characters_;
};

}  // namespace attn::data
