#include "grader/edits/source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "grader/contract/contract.h"
#include "grader/contract/tokens.h"
#include "grader/edits/known_words.h"

namespace attn::edits {
namespace {

constexpr std::array<std::string_view, 13> kOperators = {"<=", ">=", "==", "!=", "&&", "||", "++",
                                                         "--", "+=", "-=", "*=", "/=", "%="};

bool is_comment(contract::TokenKind kind) {
    return kind == contract::TokenKind::comment || kind == contract::TokenKind::remark ||
           kind == contract::TokenKind::note;
}

}  // namespace

TokenKind token_kind(const std::string& text) {
    if (text.starts_with("//")) return TokenKind::comment;
    if (contract::starts_word(text[0])) return TokenKind::word;
    return std::isdigit(static_cast<unsigned char>(text[0])) != 0 ? TokenKind::number : TokenKind::symbol;
}

Words::Words() {
    for (const char* const text : known::kTexts) id_of(text);
}

int Words::id_of(const std::string& text) {
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const int id = static_cast<int>(texts_.size());
    texts_.push_back(text);
    ids_.emplace(text, id);
    return id;
}

Tokens tokens_of(Words& words, const std::string& file, const std::string& text) {
    std::vector<contract::Token> read;
    try {
        read = contract::tokens_of(file, text, contract::Notes::keep);
    } catch (const contract::ContractError& error) {
        throw SourceError(file, 0, error.what());
    }
    Tokens tokens;
    for (std::size_t k = 0; k < read.size(); ++k) {
        const contract::Token& token = read[k];
        if (token.kind == contract::TokenKind::end || token.kind == contract::TokenKind::include) continue;
        std::string shown = token.text;
        const bool glued = k > 0 && token.offset == read[k - 1].offset + read[k - 1].text.size();
        if (is_comment(token.kind)) shown = (token.kind == contract::TokenKind::note ? "//" : "///") + shown;
        if (token.kind == contract::TokenKind::symbol && k + 1 < read.size() &&
            read[k + 1].kind == contract::TokenKind::symbol && read[k + 1].offset == token.offset + 1) {
            const std::string both = token.text + read[k + 1].text;
            if (std::ranges::find(kOperators, both) != kOperators.end()) {
                shown = both;
                ++k;
            }
        }
        tokens.push_back({words.id_of(shown), token_kind(shown), glued, token.line});
    }
    return tokens;
}

std::string text_of(const Words& words, std::span<const Token> tokens) {
    std::string text;
    for (const Token& token : tokens) {
        if (token.kind == TokenKind::comment) continue;
        text += (text.empty() ? "" : " ") + words.text(token.id);
    }
    return text;
}

std::string text_of(const Words& words, std::span<const Token> tokens, int first, int last) {
    return text_of(words,
                   tokens.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)));
}

Tokens without_comments(std::span<const Token> tokens) {
    Tokens kept;
    std::ranges::copy_if(tokens, std::back_inserter(kept),
                         [](const Token& token) { return token.kind != TokenKind::comment; });
    return kept;
}

std::vector<TokenRange> occurrences(std::span<const Token> tokens, std::span<const Token> place) {
    const Tokens wanted = without_comments(place);
    std::vector<TokenRange> found;
    for (std::size_t start = 0; start < tokens.size() && !wanted.empty(); ++start) {
        if (tokens[start].id != wanted[0].id) continue;
        std::size_t at = start, equal = 0;
        for (; at < tokens.size() && equal < wanted.size(); ++at) {
            if (tokens[at].kind == TokenKind::comment) continue;
            if (tokens[at].id != wanted[equal].id) break;
            ++equal;
        }
        if (equal == wanted.size()) found.push_back({static_cast<int>(start), static_cast<int>(at)});
    }
    return found;
}

}  // namespace attn::edits
