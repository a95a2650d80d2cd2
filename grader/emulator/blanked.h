#pragma once
/// A C++ source without what could be taken for code and is none.

#include <string>
#include <string_view>
#include <vector>

namespace attn::emulator {

inline constexpr std::size_t npos = std::string_view::npos;

/// A part of a text: [begin, end).
struct Span {
    std::size_t begin = 0, end = 0;
};

struct Blanked {
    /// As long as the text and with its line breaks; comments, literals, preprocessor lines, and what the
    /// preprocessor leaves out of an emulated source for certain (#if 0, #ifndef ATTN_EMULATOR), are spaces.
    std::string code;
    /// The same for preprocessor lines alone: where `code` has them blank, they are here. (A line that goes
    /// on behind a backslash is one.)
    std::string directives;
    std::vector<Span> directive_spans;
};

Blanked blanked(std::string_view text);

/// What the directive at `span` of a text includes, in its brackets or quotes: "<cmath>". Empty where it
/// includes nothing.
std::string_view included(std::string_view text, Span span);

/// The number of the line that a position is in, from 1.
int line_of(std::string_view text, std::size_t position);

/// Of a name in C++. (No std::isalnum: that asks the locale.)
inline bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

inline bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace attn::emulator
