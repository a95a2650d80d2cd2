#pragma once
/// Where the files of a submission are put, one after the other, whatever they come from: names are checked,
/// limits are kept, and what is left out is noted.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/intake/intake.h"

namespace attn::submission {

/// The next bytes of a file; none at its end.
using NextBytes = std::function<std::string_view()>;

class IntakeFolder {
  public:
    /// Puts files below `folder`. `submission`: how the student's is called in errors.
    IntakeFolder(std::filesystem::path submission, std::filesystem::path folder, const IntakeLimits& limits);

    /// Whether an entry of this name may come in: its name, tidied ("./a//b" is a/b). Otherwise nothing, and
    /// a note says why, unless it is one of those that nobody misses. Throws UserError where there are
    /// too many entries or folders inside each other.
    std::optional<std::string> admit(std::string_view name);

    void note(std::string text);

    /// Notes that an entry stays out; `why` goes on with what to do.
    void leave_out(std::string_view name, const std::string& why);

    /// Takes a file under an admitted name. `claimed_bytes` is what its header says; both that and what
    /// really comes are held against the limits. Throws UserError.
    void take(const std::string& name, std::uintmax_t claimed_bytes, const NextBytes& next);

    /// "SUBMISSION: FOUND; EXPECTED; WHAT TO DO".
    [[noreturn]] void refuse(const std::string& found, const std::string& expected,
                             const std::string& remedy) const;

    std::size_t files() const { return files_.size(); }
    const IntakeLimits& limits() const { return limits_; }

    /// The notes; where they are many, the first of them and how many more there are.
    std::vector<std::string> notes() const;

  private:
    void require_room(const std::string& name, std::uintmax_t bytes) const;
    void look_at(const std::string& name, std::string_view first_bytes);

    std::filesystem::path submission_, folder_;
    IntakeLimits limits_;
    std::set<std::string, std::less<>> files_;
    std::uintmax_t total_bytes_ = 0;
    int entries_ = 0;
    std::vector<std::string> notes_;  ///< the first of them
    std::size_t more_notes_ = 0;
};

/// A name as errors and notes show it: in quotes, cut, and without anything that could steer a terminal.
std::string shown(std::string_view name);

}  // namespace attn::submission
