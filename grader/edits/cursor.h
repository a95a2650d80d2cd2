#pragma once
/// Walks over tokens and skips comments.

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "grader/edits/known_words.h"
#include "grader/edits/source.h"

namespace attn::edits {

class Cursor {
  public:
    Cursor(const Words& words, const std::string& file, std::span<const Token> tokens)
        : words_(words), file_(file), tokens_(tokens) {
        skip_comments();
    }

    bool at_end() const { return at_ >= tokens_.size(); }
    int next() const { return at_end() ? -1 : tokens_[at_].id; }
    /// The id of a token that is not a comment: 0 is the next one. -1 after the end.
    int ahead(int steps) const {
        std::size_t k = at_;
        for (;; ++k) {
            while (k < tokens_.size() && tokens_[k].kind == TokenKind::comment) ++k;
            if (k >= tokens_.size()) return -1;
            if (steps-- == 0) return tokens_[k].id;
        }
    }
    TokenKind kind() const { return at_end() ? TokenKind::end : tokens_[at_].kind; }
    const std::string& text() const { return words_.text(next()); }
    /// Index of the next token, and of the token after the last one that was taken.
    int place() const { return static_cast<int>(at_); }
    int place_behind() const { return static_cast<int>(behind_); }
    /// The last comment that was skipped, since the last call of this function. -1 if there is none.
    int take_comment() { return std::exchange(comment_, -1); }

    int take() {
        if (at_end()) refuse("more");
        const int id = tokens_[at_].id;
        behind_ = ++at_;
        skip_comments();
        return id;
    }
    bool take_if(int id) {
        if (next() != id) return false;
        take();
        return true;
    }
    void expect(int id) {
        if (!take_if(id)) refuse("'" + words_.text(id) + "'");
    }
    int word(const std::string& expected) {
        if (kind() != TokenKind::word) refuse(expected);
        return take();
    }
    /// Goes on after the first `taken` tokens.
    void go_behind(int taken) {
        at_ = behind_ = static_cast<std::size_t>(taken);
        comment_ = -1;
        skip_comments();
    }
    /// The next token is `open`. Moves after the token that closes it.
    void skip_matching(int open, int close) {
        expect(open);
        for (int depth = 1; depth > 0;) {
            const int id = take();
            depth += id == open ? 1 : id == close ? -1 : 0;
        }
    }
    std::span<const Token> tokens() const { return tokens_; }

    [[noreturn]] void refuse(const std::string& expected) const {
        const std::string found = at_end() ? "the end" : "'" + text() + "'";
        const int line = at_end() ? (tokens_.empty() ? 0 : tokens_.back().line) : tokens_[at_].line;
        throw SourceError(file_, line, "found " + found + "; expected " + expected);
    }

  private:
    void skip_comments() {
        for (; at_ < tokens_.size() && tokens_[at_].kind == TokenKind::comment; ++at_)
            comment_ = tokens_[at_].id;
    }

    const Words& words_;
    const std::string& file_;
    std::span<const Token> tokens_;
    std::size_t at_ = 0, behind_ = 0;
    int comment_ = -1;
};

}  // namespace attn::edits
