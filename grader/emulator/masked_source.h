#pragma once
/// A C++ source in which comments, literals and skipped lines are masked by spaces, so that a search finds
/// code only.

#include <string>
#include <string_view>
#include <vector>

namespace attn::emulator {

inline constexpr std::size_t npos = std::string_view::npos;

/// A part of a text: [begin, end).
struct Span {
    std::size_t begin = 0, end = 0;
};

/// Both texts are as long as the source and keep its line breaks, so positions agree.
struct MaskedSource {
    /// Spaces replace comments, literals, preprocessor lines, and lines that the preprocessor certainly skips
    /// in an emulated source (#if 0, #ifndef ATTN_EMULATOR).
    std::string code;
    /// The reverse: only the preprocessor lines, and spaces elsewhere. A line that a backslash continues
    /// counts as one line.
    std::string directives;
    std::vector<Span> directive_spans;
    /// The lines that the preprocessor may skip: whether it does depends on macros (#ifdef USE_CUBLAS).
    std::vector<Span> conditional_spans;
};

MaskedSource mask_non_code(std::string_view text);

/// The header that the directive at `span` includes, with its brackets or quotes: "<cmath>". Empty for any
/// other directive.
std::string_view included_header(std::string_view text, Span span);

/// The number of the line that a position is in, counted from 1.
int line_of(std::string_view text, std::size_t position);

/// Whether a character can be part of a C++ name. std::isalnum would depend on the locale.
inline bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

inline bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// The first position from `k` on that is no space.
std::size_t skip_space(std::string_view code, std::size_t k);

/// The position behind the parenthesis that closes the one at `k`; npos if none does.
std::size_t after_parentheses(std::string_view code, std::size_t k);

}  // namespace attn::emulator
