#include "grader/contract/tokens.h"

#include <cctype>
#include <string_view>

#include "grader/contract/contract.h"

namespace attn::contract {
namespace {

class Tokenizer {
  public:
    Tokenizer(const std::string& file, const std::string& text, Notes notes)
        : file_(file), text_(text), notes_(notes) {}

    std::vector<Token> all() {
        while (at_ < text_.size()) step();
        start_ = at_;
        add(TokenKind::end, "");
        return std::move(tokens_);
    }

  private:
    void step() {
        const char c = text_[at_];
        start_ = at_;
        if (c == '\n') {
            ++line_;
            ++at_;
            line_is_empty_ = true;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at_;
        } else if (starts("///")) {
            documentation();
        } else if (starts("//")) {
            const std::string line = rest_of_line();
            if (notes_ == Notes::keep) add(TokenKind::note, line.substr(2));
        } else if (starts("/*")) {
            block_comment();
        } else if (c == '#' && line_is_empty_) {
            directive();
        } else if (starts_word(c)) {
            add(TokenKind::word, run(continues_word));
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            add(TokenKind::number, number());
        } else if (c == '"' || c == '\'') {
            quoted(c);
        } else {
            const std::size_t length = starts("::") ? 2 : 1;
            add(TokenKind::symbol, text_.substr(at_, length));
            at_ += length;
        }
    }

    void documentation() {
        const bool remark = starts("///<");
        at_ += remark ? 4 : 3;
        const int line = line_;
        const bool joins = !remark && line_is_empty_ && !tokens_.empty() &&
                           tokens_.back().kind == TokenKind::comment && last_comment_line_ == line - 1;
        const std::string text = rest_of_line();
        if (joins)
            tokens_.back().text += "\n" + text;
        else
            add(remark ? TokenKind::remark : TokenKind::comment, text);
        if (!remark) last_comment_line_ = line;
    }

    void block_comment() {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string::npos)
            throw ContractError(file_, line_, "this comment does not end: */ is missing");
        for (; at_ < end + 2; ++at_)
            if (text_[at_] == '\n') ++line_;
    }

    /// A literal, also 1e-5 with its sign.
    std::string number() {
        const auto belongs = [](char d) { return continues_word(d) || d == '.'; };
        std::string text = run(belongs);
        const bool exponent = (text.ends_with('e') || text.ends_with('E')) && (starts("-") || starts("+"));
        if (!exponent) return text;
        text += text_[at_++];
        return text + run(belongs);
    }

    /// A directive goes on in the next line after a backslash.
    void directive() {
        const int line = line_;
        const std::string text = rest_of_line();
        while (at_ > 0 && text_[at_ - 1] == '\\' && at_ < text_.size()) {
            ++at_;
            ++line_;
            rest_of_line();
        }
        std::size_t from = text.find_first_not_of(" \t", 1);
        if (from == std::string::npos) return;
        const std::string_view word = std::string_view(text).substr(from);
        if (word.starts_with("if") || word.starts_with("el"))
            throw ContractError(file_, line, "a contract must not have conditional code: " + text);
        if (!word.starts_with("include")) return;
        const std::size_t open = text.find('"'), close = text.rfind('"');
        if (open == std::string::npos || open == close) return;  // #include <..>
        add(TokenKind::include, text.substr(open + 1, close - open - 1));
        tokens_.back().line = line;
    }

    void quoted(char quote) {
        const std::size_t start = at_;
        for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
            if (text_[at_] == '\\') ++at_;
        if (at_ >= text_.size() || text_[at_] != quote)
            throw ContractError(file_, line_,
                                "this text does not end: " + std::string(1, quote) + " is missing");
        ++at_;
        add(TokenKind::symbol, text_.substr(start, at_ - start));
    }

    template <class Belongs>
    std::string run(Belongs belongs) {
        const std::size_t start = at_;
        while (at_ < text_.size() && belongs(text_[at_])) ++at_;
        return text_.substr(start, at_ - start);
    }

    std::string rest_of_line() {
        std::string rest = run([](char c) { return c != '\n'; });
        if (!rest.empty() && rest.back() == '\r') rest.pop_back();
        return rest;
    }

    bool starts(std::string_view wanted) const {
        return std::string_view(text_).substr(at_).starts_with(wanted);
    }
    void add(TokenKind kind, std::string text) {
        tokens_.push_back({kind, std::move(text), line_, start_});
        line_is_empty_ = false;
    }

    const std::string& file_;
    const std::string& text_;
    Notes notes_;
    std::size_t at_ = 0;
    std::size_t start_ = 0;  ///< of the current token
    int line_ = 1;
    int last_comment_line_ = -1;
    bool line_is_empty_ = true;
    std::vector<Token> tokens_;
};

}  // namespace

bool starts_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool continues_word(char c) {
    return starts_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::vector<Token> tokens_of(const std::string& file, const std::string& text, Notes notes) {
    return Tokenizer(file, text, notes).all();
}

}  // namespace attn::contract
