#pragma once
/// Takes out of a submission what its students were given, and what it repeats.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn::classes {

/// Text that every student was given: stubs, headers, and the code blocks of handouts.
class GivenCode {
  public:
    /// Adds C++ code or, if `markdown`, the code blocks of a page.
    void add(std::string_view text, bool markdown = false);

    /// The lines of `code` without comments, and without the statements that a given statement resembles: at
    /// most a quarter of its tokens differ, so that an edited line of a stub is not taken for the student's
    /// own. The number of lines stays. A statement ends at one of ; { }, wherever its lines break. Takes time that is
    /// linear in the length of `code`.
    std::string without_given(std::string_view code) const;

  private:
    using Statement = std::vector<int>;  ///< numbers of tokens; -1: one that is not in any given code
    bool is_given(const Statement& statement) const;

    std::unordered_map<std::string, int> tokens_;
    std::map<std::size_t, std::set<Statement>> statements_;  ///< by length
};

/// The lines of `code` without runs of `run` tokens that have occurred `most` times before. Names and numbers count as
/// the same token. The number of lines stays. sim_c++ takes very long for text that repeats itself thousands of times.
std::string without_repetition(std::string_view code, std::size_t run, int most);

}  // namespace attn::classes
