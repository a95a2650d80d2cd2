#pragma once
/// The text of the plain loops as the grader knows it: a list of tokens. The build packs reference/x.cpp and
/// the structs of its contract into such a list, so that the grader can read, change and run the loops
/// without a compiler and without the text.

#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace attn::edits {

enum class TokenKind : std::uint8_t { word, number, symbol, comment, end };

/// A token. Equal texts have equal ids: see Words.
struct Token {
    int id = 0;
    TokenKind kind = TokenKind::end;
    bool glued = false;  ///< no space stands before it
    int line = 0;        ///< 0 if the text was packed
};
using Tokens = std::vector<Token>;

/// What a token with this text is.
TokenKind token_kind(const std::string& text);

/// The texts of all tokens, each with a number.
class Words {
  public:
    Words();  ///< knows the words of known_words.h
    int id_of(const std::string& text);
    const std::string& text(int id) const { return texts_[static_cast<std::size_t>(id)]; }

  private:
    std::deque<std::string> texts_;
    std::unordered_map<std::string, int> ids_;
};

/// Text that is outside of the part of C++ that this folder reads.
class SourceError : public std::runtime_error {
  public:
    SourceError(const std::string& file, int line, const std::string& message)
        : std::runtime_error(file + (line > 0 ? ":" + std::to_string(line) : std::string()) + ": " +
                             message) {}
};

/// Splits C++ into tokens. Operators such as += are one token. Comments are tokens, directives are left out.
/// Throws SourceError.
Tokens tokens_of(Words& words, const std::string& file, const std::string& text);

Tokens without_comments(std::span<const Token> tokens);

/// The tokens [first, last) of a list.
struct TokenRange {
    int first = 0, last = 0;
};
/// Where `tokens` has those of `place`, except for comments in both.
std::vector<TokenRange> occurrences(std::span<const Token> tokens, std::span<const Token> place);

/// The tokens as text with single spaces, without comments.
std::string text_of(const Words& words, std::span<const Token> tokens);
/// The same of the tokens first .. last - 1.
std::string text_of(const Words& words, std::span<const Token> tokens, int first, int last);

}  // namespace attn::edits
