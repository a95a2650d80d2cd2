#pragma once
/// Walks over the tokens of a contract header.

#include <cstddef>
#include <string>
#include <vector>

#include "grader/contract/contract.h"
#include "grader/contract/tokens.h"

namespace attn::contract {

/// TensorView<const float, 2>
struct ViewType {
    Element element = Element::real;
    bool constant = false;
    int rank = 0;
};

class Parser {
  public:
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

    Parser(const std::string& file, std::vector<Token> tokens) : file_(file), tokens_(std::move(tokens)) {}

    const Token& next() const { return tokens_[at_]; }
    /// Returns the next token and moves on, but not past the end.
    Token take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }
    bool take_if(const char* wanted) {
        if (!next().is(wanted)) return false;
        take();
        return true;
    }
    /// Throws unless this word or symbol is next. `expected`: its description in the message.
    void expect(const char* wanted, const std::string& expected) {
        if (!take_if(wanted)) refuse(expected);
    }
    /// Takes an identifier.
    std::string word(const std::string& expected) {
        if (next().kind != TokenKind::word) refuse(expected);
        return take().text;
    }
    /// Throws ContractError: "FILE:LINE: found X; expected .."
    [[noreturn]] void refuse(const std::string& expected) const;

    bool skip_comment() {
        const bool comment = next().kind == TokenKind::comment || next().kind == TokenKind::remark;
        if (comment) take();
        return comment;
    }
    /// The index of this symbol if it comes before ; { and }. Otherwise kNowhere.
    std::size_t find_before_end_of_declaration(const char* wanted) const;
    void go_to(std::size_t token) { at_ = token; }
    /// The next token is an opening bracket. Moves past the bracket that closes it.
    void skip_matching(const char* open, const char* close);

    /// Takes TensorView<..>. `real`: the name of its floating-point type, float or a struct's T.
    ViewType view(const char* real);

  private:
    const std::string& file_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

}  // namespace attn::contract
