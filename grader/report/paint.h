#pragma once
/// Colour in a terminal.

#include <string>

#include <fmt/format.h>

namespace attn::report {

enum class Paint { plain, good, bad, dim, bold };

/// Paints text where colour is wanted, and leaves it as it is elsewhere.
class Painter {
  public:
    explicit Painter(bool colour) : colour_(colour) {}

    std::string operator()(const std::string& text, Paint how) const {
        static constexpr const char* kCodes[] = {"", "32", "31", "2", "1"};
        if (!colour_ || how == Paint::plain || text.empty()) return text;
        return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(how)], text);
    }

  private:
    bool colour_;
};

}  // namespace attn::report
