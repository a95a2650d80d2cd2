#pragma once
/// Takes out of a submission what its students were given.

#include <string>
#include <string_view>
#include <vector>

namespace attn::classes {

/// Text that every student was given: stubs, headers, and the code blocks of handouts.
class GivenCode {
  public:
    /// Adds C++ code or, if `markdown`, the code blocks of a page.
    void add(std::string_view text, bool markdown = false);

    /// The lines of `code` without comments, and without the statements that a given statement resembles: at
    /// most a quarter of its tokens differ, so that an edited line of a stub is not taken for the student's
    /// own. The number of lines stays. A statement ends at one of ; { }, wherever its lines break.
    std::string without_given(std::string_view code) const;

  private:
    std::vector<std::vector<std::string>> statements_;
};

}  // namespace attn::classes
