#pragma once
/// Writes lines of a report to a terminal: indented, wrapped, coloured, without build-server commands.

#include <algorithm>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "grader/base/text_lines.h"
#include "grader/report/text.h"

namespace attn::report {

enum class Paint { plain, good, bad, dim, bold };

/// Adds ANSI colour codes to text if colour is enabled; otherwise returns the text unchanged.
class Painter {
  public:
    explicit Painter(bool colour) : colour_(colour) {}

    std::string operator()(const std::string& text, Paint style) const {
        static constexpr const char* kCodes[] = {"", "32", "31", "2", "1"};
        if (!colour_ || style == Paint::plain || text.empty()) return text;
        return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(style)], text);
    }

  private:
    bool colour_;
};

class Lines {
  public:
    Lines(std::ostream& out, bool colour, std::size_t width) : paint(colour), out_(out), width_(width) {}

    const Painter paint;
    std::size_t width() const { return width_; }

    /// Writes a line as it is, for commands to copy and numbers in columns.
    void line(int indent, const std::string& text = "") {
        out_ << std::string(static_cast<std::size_t>(text.empty() ? 0 : indent), ' ')
             << without_commands(text) << '\n';
    }

    /// Writes each line of the text.
    void lines(int indent, const std::string& text) {
        for (const std::string& each : lines_in(text)) line(indent, each);
    }

    /// Writes sentences, wrapped between words. Each line is coloured by itself, so that the indentation has
    /// no colour.
    void paragraph(int indent, const std::string& text, Paint style = Paint::plain) {
        for (const std::string& each : lines_in(text))
            for (const std::string& part : lines_in(wrapped(each, room(static_cast<std::size_t>(indent)))))
                line(indent, paint(part, style));
    }

    /// Writes `lead`, which fills the columns up to `column`, and then one line of text, wrapped beside it.
    void beside(const std::string& lead, std::size_t column, const std::string& text,
                Paint style = Paint::plain) {
        constexpr std::size_t kLeast = 20, kNarrowIndent = 6;
        if (column > kNarrowIndent && width_ < column + kLeast) {  // no room beside it
            line(0, lead);
            return paragraph(kNarrowIndent, text, style);
        }
        std::string before = lead + std::string(column - std::min(column, columns_of(lead)), ' ');
        if (text.empty()) return line(0, before.substr(0, before.find_last_not_of(' ') + 1));
        for (const std::string& part : lines_in(wrapped(text, room(column)))) {
            line(0, before + paint(part, style));
            before = std::string(column, ' ');
        }
    }

    /// Quoted output of a program or of the compiler: "| " stands before each line, and before what is
    /// wrapped.
    void quoted(int indent, const std::string& text) {
        constexpr std::string_view kBar = "| ";
        for (const std::string& each : lines_in(quote_lines(text)))
            beside(std::string(static_cast<std::size_t>(indent), ' ') + std::string(kBar),
                   static_cast<std::size_t>(indent) + kBar.size(),
                   each.substr(std::min(kBar.size(), each.size())));
    }

  private:
    std::size_t room(std::size_t indent) const {
        constexpr std::size_t kLeast = 20;
        return width_ > indent + kLeast ? width_ - indent : kLeast;
    }

    std::ostream& out_;
    std::size_t width_;
};

}  // namespace attn::report
