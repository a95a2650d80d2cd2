#pragma once
/// Writes lines of a report to a terminal: indented, wrapped, coloured, without build-server commands.

#include <ostream>
#include <sstream>
#include <string>

#include "grader/report/paint.h"
#include "grader/report/text.h"

namespace attn::report {

class Lines {
  public:
    Lines(std::ostream& out, bool colour, std::size_t width) : paint(colour), out_(out), width_(width) {}

    const Painter paint;
    std::size_t width() const { return width_; }

    void line(int indent, const std::string& text = "") {
        out_ << std::string(static_cast<std::size_t>(text.empty() ? 0 : indent), ' ')
             << without_commands(text) << '\n';
    }

    /// Writes each line of the text.
    void lines(int indent, const std::string& text) {
        std::istringstream stream(text);
        for (std::string each; std::getline(stream, each);) line(indent, each);
    }

    /// Writes sentences, wrapped between words. Each line is coloured by itself, so that the indentation has
    /// no colour.
    void paragraph(int indent, const std::string& text, Paint style = Paint::plain) {
        constexpr std::size_t kMinWidth = 20;
        const auto indented = static_cast<std::size_t>(indent);
        const std::size_t available = width_ > indented + kMinWidth ? width_ - indented : kMinWidth;
        std::istringstream stream(text);
        for (std::string each; std::getline(stream, each);) {
            std::istringstream broken(wrapped(each, available));
            for (std::string part; std::getline(broken, part);) line(indent, paint(part, style));
        }
    }

  private:
    std::ostream& out_;
    std::size_t width_;
};

}  // namespace attn::report
