#include "grader/classes/similarity/template_lines.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>

#include "grader/base/text_lines.h"

namespace attn::classes {
namespace {
namespace template_lines {

struct Token {
    std::string text;
    std::size_t begin = 0, end = 0;  ///< where it stands
};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// The end of a string or character literal that begins at `at`, at the end of its line at the latest.
std::size_t end_of_literal(std::string_view code, std::size_t at) {
    const char quote = code[at];
    for (++at; at < code.size() && code[at] != quote && code[at] != '\n'; ++at)
        if (code[at] == '\\') ++at;
    return std::min(at + 1, code.size());
}

/// The tokens of C++ code, without comments. Reads any text.
std::vector<Token> tokens_of(std::string_view code) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t begin = at;
        const char c = code[at];
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
            continue;
        }
        if (code.substr(at, 2) == "//") {
            at = std::min(code.find('\n', at), code.size());
            continue;
        }
        if (code.substr(at, 2) == "/*") {
            const std::size_t end = code.find("*/", at + 2);
            at = end == std::string_view::npos ? code.size() : end + 2;
            continue;
        }
        if (c == '"' || c == '\'')
            at = end_of_literal(code, at);
        else if (is_word(c))
            while (at < code.size() && is_word(code[at])) ++at;
        else
            ++at;
        tokens.push_back({std::string(code.substr(begin, at - begin)), begin, at});
    }
    return tokens;
}

bool ends_statement(const std::string& token) {
    return token == ";" || token == "{" || token == "}";
}

/// Calls use(first, last) for each statement, as indices of tokens.
template <class F>
void for_each_statement(const std::vector<Token>& tokens, F use) {
    std::size_t first = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k)
        if (ends_statement(tokens[k].text) || k + 1 == tokens.size()) {
            use(first, k + 1);
            first = k + 1;
        }
}

/// The number of tokens to insert, delete or replace; `limit` + 1 if there are more. Only the part of the table is
/// computed where there can be as few.
std::size_t edits(const std::vector<int>& a, const std::vector<int>& b, std::size_t limit) {
    const std::size_t longer = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
    if (longer - shorter > limit) return limit + 1;
    const std::size_t many = limit + 1;
    std::vector<std::size_t> row(b.size() + 1, many);
    std::iota(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(std::min(limit, b.size())) + 1,
              std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        const std::size_t first = i - std::min(i, limit), last = std::min(b.size(), i + limit + 1);
        std::size_t diagonal = row[first];
        row[first] = first == 0 ? std::min(i + 1, many) : many;
        std::size_t least = row[first];
        for (std::size_t j = first; j < last; ++j) {
            const bool same = a[i] >= 0 && a[i] == b[j];
            const std::size_t replaced = diagonal + (same ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1, many});
            least = std::min(least, row[j + 1]);
        }
        if (least > limit) return many;
    }
    return row.back();
}

/// As many lines as `code` has, and nothing in them.
std::string blank(std::string_view code) {
    std::string blank(code.size(), ' ');
    for (std::size_t k = 0; k < code.size(); ++k)
        if (code[k] == '\n') blank[k] = '\n';
    return blank;
}

void put(const Token& token, std::string& text) {
    std::copy(token.text.begin(), token.text.end(), text.begin() + static_cast<std::ptrdiff_t>(token.begin));
}

/// The code between ``` and ``` of a page, or between indented fences.
std::string code_blocks(std::string_view page) {
    std::string code;
    bool inside = false;
    while (!page.empty()) {
        const std::string_view line = take_line(page);
        const std::size_t text = line.find_first_not_of(' ');
        if (text != std::string_view::npos && line.substr(text).starts_with("```"))
            inside = !inside;
        else if (inside)
            code.append(line) += '\n';
    }
    return code;
}

}  // namespace template_lines
}  // namespace

void GivenCode::add(std::string_view text, bool markdown) {
    const std::string code = markdown ? template_lines::code_blocks(text) : std::string(text);
    const std::vector<template_lines::Token> tokens = template_lines::tokens_of(code);
    template_lines::for_each_statement(tokens, [&](std::size_t first, std::size_t last) {
        Statement statement;
        for (std::size_t k = first; k < last; ++k)
            statement.push_back(
                tokens_.emplace(tokens[k].text, static_cast<int>(tokens_.size())).first->second);
        statements_[statement.size()].insert(std::move(statement));
    });
}

bool GivenCode::is_given(const Statement& statement) const {
    const std::size_t limit = statement.size() / 4;
    // Each token that is not in any given code needs an edit.
    if (static_cast<std::size_t>(std::ranges::count(statement, -1)) > limit) return false;
    const auto end = statements_.upper_bound(statement.size() + limit);
    for (auto length = statements_.lower_bound(statement.size() - limit); length != end; ++length)
        for (const Statement& one : length->second)
            if (template_lines::edits(statement, one, limit) <= limit) return true;
    return false;
}

std::string GivenCode::without_given(std::string_view code) const {
    const std::vector<template_lines::Token> tokens = template_lines::tokens_of(code);
    std::string result = template_lines::blank(code);
    std::map<Statement, bool> known;  // a statement may be repeated many times
    template_lines::for_each_statement(tokens, [&](std::size_t first, std::size_t last) {
        Statement statement;
        for (std::size_t k = first; k < last; ++k) {
            const auto token = tokens_.find(tokens[k].text);
            statement.push_back(token == tokens_.end() ? -1 : token->second);
        }
        auto found = known.find(statement);
        if (found == known.end()) found = known.emplace(statement, is_given(statement)).first;
        if (found->second) return;
        for (std::size_t k = first; k < last; ++k) template_lines::put(tokens[k], result);
    });
    return result;
}

std::string without_repetition(std::string_view code, std::size_t run, int most) {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;  // any odd number: sums wrap around
    const std::vector<template_lines::Token> tokens = template_lines::tokens_of(code);
    std::vector<bool> repeated(tokens.size());
    std::unordered_map<std::uint64_t, int> counts;  // of runs, by a hash that rolls along
    std::uint64_t hash = 0, first_factor = 1;
    for (std::size_t k = 1; k < run; ++k) first_factor *= kFactor;
    const auto number = [&](std::size_t k) {
        const char c = tokens[k].text[0];
        return static_cast<std::uint64_t>(template_lines::is_word(c) ? 'a' : static_cast<unsigned char>(c)) +
               1;
    };
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (k >= run) hash -= number(k - run) * first_factor;
        hash = hash * kFactor + number(k);
        if (k + 1 < run || ++counts[hash] <= most) continue;
        // Of a longer repetition the tokens before these have been marked already.
        for (std::size_t one = k + 1; one > k + 1 - run && !repeated[one - 1]; --one)
            repeated[one - 1] = true;
    }
    std::string result = template_lines::blank(code);
    for (std::size_t k = 0; k < tokens.size(); ++k)
        if (!repeated[k]) template_lines::put(tokens[k], result);
    return result;
}

}  // namespace attn::classes
