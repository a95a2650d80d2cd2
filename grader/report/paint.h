#pragma once
/// Coloured text for a terminal.

#include <string>

#include <fmt/format.h>

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

}  // namespace attn::report
