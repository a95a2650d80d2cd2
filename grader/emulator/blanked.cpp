#include "grader/emulator/blanked.h"

#include <algorithm>

namespace attn::emulator {
namespace {

void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < std::min(end, text.size()); ++k)
        if (!is_space(text[k])) text[k] = ' ';
}

/// Behind the literal whose quote is at `k`. One that is not closed ends with its line.
std::size_t behind_literal(std::string_view text, std::size_t k) {
    const char quote = text[k];
    for (++k; k < text.size() && text[k] != '\n'; ++k) {
        if (text[k] == quote) return k + 1;
        if (text[k] == '\\') ++k;
    }
    return std::min(k, text.size());
}

/// Behind the raw literal whose quote is at `k`: R"x( .. )x".
std::size_t behind_raw_literal(std::string_view text, std::size_t k) {
    const std::size_t open = text.find('(', k);
    constexpr std::size_t kLongest = 16;
    if (open == npos || open - k - 1 > kLongest) return behind_literal(text, k);
    const std::string close = ")" + std::string(text.substr(k + 1, open - k - 1)) + "\"";
    const std::size_t end = text.find(close, open);
    return end == npos ? text.size() : end + close.size();
}

/// Behind the line that `k` is in, and those that it goes on in.
std::size_t behind_line(std::string_view text, std::size_t k) {
    for (;;) {
        const std::size_t end = text.find('\n', k);
        if (end == npos) return text.size();
        std::size_t last = end;
        if (last > k && text[last - 1] == '\r') --last;
        if (last == k || text[last - 1] != '\\') return end;
        k = end + 1;
    }
}

/// Whether the quote at `k` begins a raw literal: R, u8R, uR, UR, LR before it and no longer word.
bool is_raw(std::string_view text, std::size_t k) {
    std::size_t word = k;
    while (word > 0 && is_word(text[word - 1])) --word;
    const std::string_view prefix = text.substr(word, k - word);
    return prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR";
}

/// Whether the ' at `k` stands between the digits of a number: 1'000.
bool separates_digits(std::string_view text, std::size_t k) {
    std::size_t word = k;
    while (word > 0 && (is_word(text[word - 1]) || text[word - 1] == '\'')) --word;
    return word < k && text[word] >= '0' && text[word] <= '9';
}

/// Comments and literals to spaces.
std::string without_comments(std::string_view text) {
    std::string result(text);
    for (std::size_t k = 0; k < text.size();) {
        std::size_t end = k;
        const char c = text[k];
        if (text.substr(k, 2) == "//") {
            end = behind_line(text, k);
        } else if (text.substr(k, 2) == "/*") {
            const std::size_t close = text.find("*/", k + 2);
            end = close == npos ? text.size() : close + 2;
        } else if (c == '"') {
            end = is_raw(text, k) ? behind_raw_literal(text, k) : behind_literal(text, k);
        } else if (c == '\'' && !separates_digits(text, k)) {
            end = behind_literal(text, k);
        }
        blank(result, k, end);
        k = std::max(end, k + 1);
    }
    return result;
}

/// A directive's words without the space between them: "#if!defined(ATTN_EMULATOR)".
std::string squeezed(std::string_view line) {
    std::string result;
    for (const char c : line)
        if (!is_space(c) && c != '\\') result += c;
    return result;
}

/// Follows #if .. #endif and knows what is left out for certain.
class Conditions {
  public:
    /// Takes a directive; whether what comes behind it is left out.
    bool follow(const std::string& directive) {
        enum : char { kUnknown, kHolds, kFails };
        const auto of = [](bool holds) { return holds ? kHolds : kFails; };
        char state = kUnknown;
        if (directive == "#if0" || directive == "#if1") state = of(directive == "#if1");
        if (directive == "#ifdefATTN_EMULATOR" || directive == "#ifdefined(ATTN_EMULATOR)") state = kHolds;
        if (directive == "#ifndefATTN_EMULATOR" || directive == "#if!defined(ATTN_EMULATOR)") state = kFails;
        if (directive.starts_with("#if")) {
            states_.push_back(state);
        } else if (directive.starts_with("#endif") && !states_.empty()) {
            states_.pop_back();
        } else if (directive.starts_with("#el") && !states_.empty()) {
            // Behind an #elif nothing is known, but that after one that holds no other does.
            char& last = states_.back();
            last = last == kHolds ? kFails : directive == "#else" && last == kFails ? kHolds : kUnknown;
        }
        return states_.find(kFails) != npos;
    }

  private:
    std::string states_;
};

}  // namespace

Blanked blanked(std::string_view text) {
    Blanked result;
    result.code = without_comments(text);
    result.directives = result.code;
    Conditions conditions;
    bool left_out = false;
    for (std::size_t line = 0; line < text.size();) {
        std::size_t end = std::min(text.find('\n', line), text.size());
        const std::size_t first = std::min(result.code.find_first_not_of(" \t\r\f\v", line), end);
        if (first < end && result.code[first] == '#') {
            end = behind_line(text, first);
            left_out = conditions.follow(squeezed(std::string_view(result.code).substr(first, end - first)));
            blank(result.code, line, end);
            if (left_out)
                blank(result.directives, line, end);
            else
                result.directive_spans.push_back({first, end});
        } else {
            blank(result.directives, line, end);
            if (left_out) blank(result.code, line, end);
        }
        line = end + 1;
    }
    // A line that goes on: for who looks between two words.
    std::replace(result.code.begin(), result.code.end(), '\\', ' ');
    std::replace(result.directives.begin(), result.directives.end(), '\\', ' ');
    return result;
}

std::string_view included(std::string_view text, Span span) {
    std::string_view line = text.substr(span.begin + 1, span.end - span.begin - 1);
    const auto skip_space = [&line] {
        while (!line.empty() && is_space(line[0])) line.remove_prefix(1);
    };
    skip_space();
    if (!line.starts_with("include")) return {};
    line.remove_prefix(std::string_view("include").size());
    skip_space();
    if (line.empty() || (line[0] != '<' && line[0] != '"')) return {};
    const std::size_t end = line.find(line[0] == '<' ? '>' : '"', 1);
    return end == std::string_view::npos ? std::string_view() : line.substr(0, end + 1);
}

int line_of(std::string_view text, std::size_t position) {
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size())),
                   '\n'));
}

}  // namespace attn::emulator
