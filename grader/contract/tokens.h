#pragma once
/// Splits a header into tokens. Comments with three slashes are tokens, too.

#include <cstddef>
#include <string>
#include <vector>

namespace attn::contract {

enum class TokenKind {
    word,     ///< an identifier or a keyword
    number,   ///< a literal
    symbol,   ///< one character, or "::"
    comment,  ///< consecutive lines of ///, without the slashes, separated by '\n'
    note,     ///< the text after //, if notes are wanted
    remark,   ///< the text after ///<
    include,  ///< the file of an #include "file"
    end
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;
    int line = 0;            ///< the first line of a comment
    std::size_t offset = 0;  ///< of the token's first character in the header

    bool is(const char* wanted) const {
        return (kind == TokenKind::word || kind == TokenKind::symbol) && text == wanted;
    }
};

enum class Notes { skip, keep };

/// The last token has the kind `end`. Throws ContractError for a block comment or a string that does not end,
/// and for conditional code, which a contract must not have.
std::vector<Token> tokens_of(const std::string& file, const std::string& text, Notes notes = Notes::skip);

bool starts_word(char c);
bool continues_word(char c);

}  // namespace attn::contract
