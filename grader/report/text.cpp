#include "grader/report/text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "grader/base/text_lines.h"

namespace attn::report {
namespace {

/// Length in bytes of the valid UTF-8 character at the start of the non-empty `text`, 0 if it is invalid.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&text](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : (first & 0xf0U) == 0xe0       ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xc0U) != 0x80) return 0;
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool surrogate = first == 0xed && byte(1) >= 0xa0, too_large = first == 0xf4 && byte(1) >= 0x90;
    const bool no_character = first == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe;  // not allowed in XML
    return overlong || surrogate || too_large || no_character ? 0 : length;
}

/// Line and paragraph separators and characters that change the writing direction: U+2028 to 202E, 2066 to
/// 2069.
bool is_forbidden(std::string_view character) {
    return character.size() == 3 && ((character >= "\u2028" && character < "\u202f") ||
                                     (character > "\u2065" && character < "\u206a"));
}

bool is_space(std::string_view character) {
    return character == " " || character == "\t" || character == "\n" || character == "\u00a0" ||
           character == "\u1680" || (character >= "\u2000" && character <= "\u200b") ||
           character == "\u202f" || character == "\u205f" || character == "\u3000";
}

/// Whether the line begins with "::" after spaces, control characters and non-ASCII bytes, which build
/// servers may skip.
bool begins_with_colons(std::string_view line) {
    const auto first = std::find_if(line.begin(), line.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    return line.substr(static_cast<std::size_t>(first - line.begin())).starts_with("::");
}

constexpr char kEscape = '\x1b';

/// The bytes at the start of the text that a terminal shows as one character or, for a colour code, as none.
std::size_t length_on_screen(std::string_view text) {
    if (text.starts_with("\x1b["))
        if (const std::size_t end = text.find('m'); end != std::string_view::npos) return end + 1;
    return std::max<std::size_t>(utf8_length(text), 1);
}

}  // namespace

std::string clean(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text[0]);
        std::size_t length = utf8_length(text);
        const bool control = length == 1 && (first < 0x20 || first == 0x7f) && first != '\n' && first != '\t';
        const bool c1_control = length == 2 && first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
        if (length == 0 || control || c1_control || is_forbidden(text.substr(0, length))) {
            result += '?';
            length = std::max<std::size_t>(length, 1);
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    return result;
}

std::string one_line(std::string_view text) {
    const std::string cleaned = clean(text);
    std::string result;
    for (std::string_view rest = cleaned; !rest.empty();) {
        const std::string_view character = rest.substr(0, utf8_length(rest));
        if (!is_space(character))
            result += character;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
        rest.remove_prefix(character.size());
    }
    if (result.ends_with(' ')) result.pop_back();
    return result;
}

std::string without_commands(std::string_view text) {
    std::string result;
    for (const std::string& line : lines_in(text)) {
        if (begins_with_colons(line)) result += "| ";
        for (const char c : line) result += c == '#' && result.ends_with('#') ? " #" : std::string(1, c);
        result += '\n';
    }
    if (!text.ends_with('\n') && !text.empty()) result.pop_back();
    return result;
}

std::string quote_lines(std::string_view text) {
    constexpr std::size_t kLongestLine = 400;
    std::string result;
    for (const std::string& line : lines_in(without_commands(clean(text))))
        result += "| " + cut(line, kLongestLine) + '\n';
    return result;
}

std::string cut(std::string text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    std::size_t end = bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
    const std::size_t left = text.size() - end;
    text.resize(end);
    return text + fmt::format(" (and {} more bytes)", left);
}

std::string escape_xml(std::string_view text) {
    std::string result;
    for (const char c : clean(text)) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\n':
                result += "&#10;";
                break;
            case '\t':
                result += "&#9;";
                break;
            case '#':  // escape the second of two: see without_commands
                result += result.ends_with('#') ? "&#35;" : "#";
                break;
            default:
                result += c;
        }
    }
    return result;
}

std::string first_lines(std::string_view text, int lines) {
    std::size_t end = 0;
    for (; lines > 0 && end < text.size(); --lines) end = std::min(text.find('\n', end), text.size() - 1) + 1;
    std::string result(text.substr(0, end));
    if (!result.empty() && result.back() != '\n') result += '\n';
    if (end < text.size()) result += "(and more)\n";
    return result;
}

std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const std::size_t length = length_on_screen(text);
        columns += text[0] == kEscape && length > 1 ? 0 : 1;
        text.remove_prefix(length);
    }
    return columns;
}

std::string wrapped(std::string_view line, std::size_t width) {
    width = std::max<std::size_t>(width, 1);
    std::string text;
    while (columns_of(line) > width) {
        std::size_t end = 0, columns = 0, space = 0;
        for (std::size_t length = 0; end < line.size(); end += length) {
            length = length_on_screen(line.substr(end));
            const bool shown = !(line[end] == kEscape && length > 1);
            if (line[end] == ' ' && end > 0) space = end;
            if (shown && ++columns > width) break;
        }
        const bool between_words = space > 0;
        const std::size_t at = between_words ? space : std::max<std::size_t>(end, 1);
        text += std::string(line.substr(0, at)) + '\n';
        line.remove_prefix(at + (between_words ? 1 : 0));
    }
    return text + std::string(line);
}

std::string wrapped_prose(std::string_view text, std::size_t width) {
    std::string result;
    while (!text.empty()) {
        const bool is_ended = text.find('\n') != std::string_view::npos;
        const std::string_view line = take_line(text);
        result += line.starts_with(' ') || line.starts_with('|') ? std::string(line) : wrapped(line, width);
        if (is_ended) result += '\n';
    }
    return result;
}

std::string shortened(const std::string& line, std::size_t width) {
    constexpr std::string_view kMore = " ..";
    if (columns_of(line) <= width) return line;
    const std::string first = wrapped(line, width - std::min(width, kMore.size()));
    return first.substr(0, first.find('\n')) + std::string(kMore);
}

std::string times_in_words(double value) {
    constexpr double kMillion = 1e6, kBillion = 1e9, kLargest = 1e12, kExact = 1e3;
    if (!(value >= kExact)) return fmt::format("{:.3g}", value);
    if (value >= kLargest) return "more than a trillion";
    if (value >= kBillion) return fmt::format("{:.2g} billion", std::max(1.0, value / kBillion));
    if (value >= kMillion) {
        const double millions = value / kMillion;
        return millions < 10 ? fmt::format("{:.1f} million", millions)
                             : fmt::format("{:.0f} million", millions);
    }
    // Three digits of a number that is written out.
    const double step = std::pow(10, std::floor(std::log10(value)) - 2);
    return fmt::format("{:.0f}", std::round(value / step) * step);
}

std::string points(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string quoted_for_shell(const std::string& word, std::string_view plain) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    if (word.find_first_not_of(std::string(kPlain).append(plain)) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string in_words(const SourceLine& line) {
    return fmt::format("{}:{}", line.file, line.line);
}

std::string in_words(const SourceTrace& trace, std::size_t width) {
    std::string text;
    for (const SourceLine& each : trace.lines) {
        const std::string place = fmt::format("{}, in {}:", in_words(each), each.function);
        const bool fits = place.size() + 3 + each.text.size() <= width;
        constexpr std::size_t kIndent = 4, kLeast = 20;
        const std::size_t room = std::max(width, kIndent + kLeast) - kIndent;
        const std::string line =
            fits || columns_of(each.text) <= room ? each.text : each.text.substr(0, room - 3) + " ..";
        text += clean(fmt::format("{}{}{}", place, fits ? "   " : "\n    ", line)) + '\n';
    }
    return text;
}

std::string first_place(const std::optional<SourceTrace>& trace) {
    if (!trace || trace->lines.empty()) return {};
    return fmt::format(" ({})", in_words(trace->lines.front()));
}

}  // namespace attn::report
