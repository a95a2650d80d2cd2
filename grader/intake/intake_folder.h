#pragma once
/// The folder that the files of a submission are copied to, from a folder or an archive. It checks names,
/// enforces the limits and notes which entries are left out.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/intake/intake.h"

namespace attn::intake {

/// Returns the next bytes of a file; empty at its end.
using NextBytes = std::function<std::string_view()>;

class IntakeFolder {
  public:
    /// Files are written below `folder`. Error messages name `submission`, the path that the student gave.
    /// `use` must live as long as this object.
    IntakeFolder(std::filesystem::path submission, std::filesystem::path folder, const IntakeLimits& limits,
                 IntakeUse& use);

    /// Counts this thread's processor time as used while it lives.
    class Clock {
      public:
        explicit Clock(IntakeFolder& folder);
        ~Clock();
        Clock(const Clock&) = delete;
        Clock& operator=(const Clock&) = delete;

      private:
        IntakeFolder& folder_;
    };

    /// Throws UserError if this archive is one too many.
    void open_archive();

    /// Throws UserError if the time is used up.
    void require_time() const;

    /// The normalized name ("a/b" for "./a//b") of an entry that may be added. Nothing if it is left out:
    /// then a note says why, except for files of the operating system or of tools. Throws UserError if there
    /// are too many entries or nested folders.
    std::optional<std::string> admit(std::string_view name);

    void note(std::string text);

    /// Notes that an entry is left out. `why` gives the reason and what to do.
    void leave_out(std::string_view name, const std::string& why);

    /// Writes a file under an admitted name. Both `claimed_bytes`, the size in its header, and the real size
    /// are checked against the limits. Throws UserError.
    void add_file(const std::string& name, std::uintmax_t claimed_bytes, const NextBytes& next);

    /// Throws UserError: "SUBMISSION: FOUND; EXPECTED; REMEDY".
    [[noreturn]] void refuse(const std::string& found, const std::string& expected,
                             const std::string& remedy) const;

    std::size_t files() const { return files_.size(); }
    const IntakeLimits& limits() const { return limits_; }

    /// The notes. If there are many: the first ones and the number of the others.
    std::vector<std::string> notes() const;

  private:
    void require_room(const std::string& name, std::uintmax_t bytes) const;
    void warn_if_utf16(const std::string& name, std::string_view first_bytes);

    std::filesystem::path submission_, folder_;
    IntakeLimits limits_;
    IntakeUse& use_;
    std::optional<double> running_since_;  ///< the thread's processor time at the start of a Clock
    std::set<std::string, std::less<>> files_;
    std::vector<std::string> notes_;  ///< the first ones
    std::size_t more_notes_ = 0;
};

/// A name for errors and notes: quoted, shortened, and without terminal control characters.
std::string shown(std::string_view name);

/// Adds the files of a .zip or a .tar, also compressed by gzip, xz or bzip2, to `target`. The archive is unpacked in memory, within the
/// limits of `target`. Throws UserError.
void unpack_archive(const std::filesystem::path& file, IntakeFolder& target);

/// Adds the files of `folder` and its subfolders to `target`, in the order of their names. No link below
/// `folder` is followed, and only regular files and folders are opened. An unreadable entry is left out with
/// a note. Throws UserError if `folder` itself cannot be read.
void copy_folder(const std::filesystem::path& folder, IntakeFolder& target);

}  // namespace attn::intake
