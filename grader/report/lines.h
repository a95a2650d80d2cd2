#pragma once
/// Lines of a report in a terminal: indented, broken where they are long, painted, and none of them a
/// command.

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

    /// Each line of the text.
    void lines(int indent, const std::string& text) {
        std::istringstream stream(text);
        for (std::string each; std::getline(stream, each);) line(indent, each);
    }

    /// Sentences, broken between words where they are long. Painted line by line, so that no colour runs into
    /// an indentation.
    void prose(int indent, const std::string& text, Paint how = Paint::plain) {
        constexpr std::size_t kLeast = 20;
        const auto indented = static_cast<std::size_t>(indent);
        const std::size_t room = width_ > indented + kLeast ? width_ - indented : kLeast;
        std::istringstream stream(text);
        for (std::string each; std::getline(stream, each);) {
            std::istringstream broken(wrapped(each, room));
            for (std::string part; std::getline(broken, part);) line(indent, paint(part, how));
        }
    }

  private:
    std::ostream& out_;
    std::size_t width_;
};

}  // namespace attn::report
