#include "grader/emulator/masked_source.h"

#include <algorithm>

namespace attn::emulator {
namespace {

void mask(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < std::min(end, text.size()); ++k)
        if (!is_space(text[k])) text[k] = ' ';
}

/// The position after the literal whose quote is at `k`. A literal that is not closed ends with its line.
std::size_t after_literal(std::string_view text, std::size_t k) {
    const char quote = text[k];
    for (++k; k < text.size() && text[k] != '\n'; ++k) {
        if (text[k] == quote) return k + 1;
        if (text[k] == '\\') ++k;
    }
    return std::min(k, text.size());
}

/// The position after the raw literal whose quote is at `k`: R"x( .. )x".
std::size_t after_raw_literal(std::string_view text, std::size_t k) {
    constexpr std::size_t kLongest = 16;
    const std::size_t length = text.substr(k + 1, kLongest + 1).find('(');
    if (length == npos) return after_literal(text, k);
    const std::string close = ")" + std::string(text.substr(k + 1, length)) + "\"";
    const std::size_t end = text.find(close, k + length);
    return end == npos ? text.size() : end + close.size();
}

/// The end of the line that `k` is in. A line that ends with a backslash continues on the next one.
std::size_t after_line(std::string_view text, std::size_t k) {
    for (;;) {
        const std::size_t end = text.find('\n', k);
        if (end == npos) return text.size();
        std::size_t last = end;
        if (last > k && text[last - 1] == '\r') --last;
        if (last == k || text[last - 1] != '\\') return end;
        k = end + 1;
    }
}

/// Whether the quote at `k` begins a raw literal: the word before it is exactly R, u8R, uR, UR or LR.
bool is_raw(std::string_view text, std::size_t k) {
    constexpr std::size_t kLongest = 3;
    std::size_t word = k;
    while (word > 0 && k - word <= kLongest && is_word(text[word - 1])) --word;
    const std::string_view prefix = text.substr(word, k - word);
    return prefix == "R" || prefix == "u8R" || prefix == "uR" || prefix == "UR" || prefix == "LR";
}

/// Follows a text and knows which quotes separate the digits of a number: 1'000.
class Numbers {
  public:
    /// Takes the character at `k`, which is in no comment or literal.
    void take(std::string_view text, std::size_t k) {
        const bool goes_on = k == next_ && in_word_;
        if (!goes_on) is_number_ = text[k] >= '0' && text[k] <= '9';
        in_word_ = is_word(text[k]) || (goes_on && is_number_ && text[k] == '\'');
        next_ = k + 1;
    }
    /// Whether a quote at `k` separates digits.
    bool separated_at(std::size_t k) const { return k == next_ && in_word_ && is_number_; }

  private:
    std::size_t next_ = npos;  ///< the position after the last character
    bool in_word_ = false, is_number_ = false;
};

/// Replaces comments and literals by spaces.
std::string mask_comments_and_literals(std::string_view text) {
    std::string result(text);
    Numbers numbers;
    for (std::size_t k = 0; k < text.size();) {
        std::size_t end = k;
        const char c = text[k];
        if (text.substr(k, 2) == "//") {
            end = after_line(text, k);
        } else if (text.substr(k, 2) == "/*") {
            const std::size_t close = text.find("*/", k + 2);
            end = close == npos ? text.size() : close + 2;
        } else if (c == '"') {
            end = is_raw(text, k) ? after_raw_literal(text, k) : after_literal(text, k);
        } else if (c == '\'' && !numbers.separated_at(k)) {
            end = after_literal(text, k);
        } else {
            numbers.take(text, k);
        }
        mask(result, k, end);
        k = std::max(end, k + 1);
    }
    return result;
}

/// A directive without its spaces: "#if!defined(ATTN_EMULATOR)".
std::string without_spaces(std::string_view line) {
    std::string result;
    for (const char c : line)
        if (!is_space(c) && c != '\\') result += c;
    return result;
}

/// Follows #if .. #endif and knows which lines the preprocessor certainly skips.
class Conditions {
  public:
    /// Processes a directive. Returns whether the lines after it are certainly skipped.
    bool follow(const std::string& directive) {
        const auto of = [](bool holds) { return holds ? kHolds : kFails; };
        char state = kUnknown;
        if (directive == "#if0" || directive == "#if1") state = of(directive == "#if1");
        if (directive == "#ifdefATTN_EMULATOR" || directive == "#ifdefined(ATTN_EMULATOR)") state = kHolds;
        if (directive == "#ifndefATTN_EMULATOR" || directive == "#if!defined(ATTN_EMULATOR)") state = kFails;
        if (directive.starts_with("#if")) {
            states_.push_back(state);
            failing_ += state == kFails ? 1 : 0;
        } else if (directive.starts_with("#endif") && !states_.empty()) {
            failing_ -= states_.back() == kFails ? 1 : 0;
            states_.pop_back();
        } else if (directive.starts_with("#el") && !states_.empty()) {
            // A branch after one that holds is skipped. Otherwise nothing is known after an #elif.
            char& last = states_.back();
            failing_ -= last == kFails ? 1 : 0;
            last = last == kHolds ? kFails : directive == "#else" && last == kFails ? kHolds : kUnknown;
            failing_ += last == kFails ? 1 : 0;
        }
        return failing_ > 0;
    }

    /// Whether the preprocessor may skip the lines after the last directive.
    bool may_skip() const { return states_.find(kUnknown) != npos; }

  private:
    enum : char { kUnknown, kHolds, kFails };
    std::string states_;
    int failing_ = 0;  ///< how many of them are kFails
};

}  // namespace

MaskedSource mask_non_code(std::string_view text) {
    MaskedSource result;
    result.code = mask_comments_and_literals(text);
    result.directives = result.code;
    Conditions conditions;
    bool left_out = false, conditional = false;
    for (std::size_t line = 0; line < text.size();) {
        std::size_t end = std::min(text.find('\n', line), text.size());
        const std::size_t first = std::min(result.code.find_first_not_of(" \t\r\f\v", line), end);
        if (first < end && result.code[first] == '#') {
            end = after_line(text, first);
            left_out =
                conditions.follow(without_spaces(std::string_view(result.code).substr(first, end - first)));
            mask(result.code, line, end);
            if (left_out)
                mask(result.directives, line, end);
            else
                result.directive_spans.push_back({first, end});
            if (conditions.may_skip() != conditional) {
                conditional = !conditional;
                if (conditional) result.conditional_spans.push_back({line, text.size()});
                if (!conditional) result.conditional_spans.back().end = line;
            }
        } else {
            mask(result.directives, line, end);
            if (left_out) mask(result.code, line, end);
        }
        line = end + 1;
    }
    // The backslash of a continued line becomes a space, so that a search between two words sees only space.
    std::replace(result.code.begin(), result.code.end(), '\\', ' ');
    std::replace(result.directives.begin(), result.directives.end(), '\\', ' ');
    return result;
}

std::string_view included_header(std::string_view text, Span span) {
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

std::size_t skip_space(std::string_view code, std::size_t k) {
    while (k < code.size() && is_space(code[k])) ++k;
    return k;
}

std::size_t after_parentheses(std::string_view code, std::size_t k) {
    int depth = 0;
    for (; k < code.size(); ++k) {
        if (code[k] == '(') ++depth;
        if (code[k] == ')' && --depth == 0) return k + 1;
    }
    return npos;
}

int line_of(std::string_view text, std::size_t position) {
    return 1 + static_cast<int>(std::count(
                   text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size())),
                   '\n'));
}

}  // namespace attn::emulator
