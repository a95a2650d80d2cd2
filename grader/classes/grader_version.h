#pragma once
/// Which version of the grader graded a class. Another version may give other marks, so it grades nothing again before the
/// teacher has agreed.

#include <filesystem>
#include <string>

#include "grader/classes/exercise.h"
#include "grader/classes/gradebook/gradebook.h"

namespace attn::classes {

/// What `PROGRAM --version` prints; "an unknown version" if the program does not know this option.
std::string version_of_program(const std::filesystem::path& program);

/// What an exercise was graded with, and what this grader would do to it.
struct GraderChange {
    std::string before;     ///< the version that graded it; empty if nothing was graded
    std::string now;        ///< the version of this grader
    std::size_t again = 0;  ///< attempts that another grader has graded and this one would grade again
    std::string text(int exercise) const;  ///< a sentence for people
};
GraderChange grader_change(Gradebook& gradebook, Exercise& exercise, const std::string& now);

/// Records that this grader grades the exercise from now on, unless it did so before.
void record_grader(Gradebook& gradebook, const Exercise& exercise, const std::string& version);

}  // namespace attn::classes
