#pragma once
/// WordPiece, the tokenizer of BERT: text as numbers of pieces of words.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn::search {

class WordPiece {
  public:
    /// `vocabulary` has one piece in each line, the first of them number 0. A piece that begins with "##" goes on
    /// with a word. Throws std::invalid_argument, with the line, if a piece is there twice or one of the pieces [PAD],
    /// [UNK], [CLS], [SEP] and [MASK] is missing.
    explicit WordPiece(std::string_view vocabulary);
    WordPiece(WordPiece&&) = default;  // a copy's numbers would be those of the original's pieces
    WordPiece& operator=(WordPiece&&) = default;

    /// The numbers of the text's pieces, between [CLS] and [SEP]: at most `most` of them with these two; what comes
    /// after is left out.
    ///   1. [CLS], [MASK] and the like, where the text has them as they are, are pieces.
    ///   2. Control characters go; each white space, and each side of a Chinese character, becomes a blank.
    ///   3. Letters lose their accents (NFD without marks) and become lower case.
    ///   4. The text is cut at blanks, and before and after each punctuation mark.
    ///   5. From each word the longest piece is taken, then the longest one with ##, and so on. Where there is none,
    ///      and if it has more than 100 characters, the whole word is [UNK].
    /// Bytes that are no UTF-8 go, too. Source: Devlin et al. 2018; Wu et al. 2016, section 4.1.
    std::vector<std::int32_t> numbers(std::string_view text, std::size_t most = SIZE_MAX) const;

    /// The pieces themselves, for example to show them.
    std::vector<std::string> pieces(const std::vector<std::int32_t>& numbers) const;

    int size() const { return static_cast<int>(pieces_.size()); }

  private:
    /// Steps 2 to 5 for a text without [CLS] and the like.
    void add_words(std::vector<std::int32_t>& numbers, std::string_view text) const;
    void add_word(std::vector<std::int32_t>& numbers, std::u32string_view word) const;
    std::int32_t number_of(const std::string& piece) const;

    std::vector<std::string> pieces_;
    std::unordered_map<std::string_view, std::int32_t> numbers_;
    std::int32_t unknown_ = 0, first_ = 0, last_ = 0;
};

}  // namespace attn::search
