#pragma once
/// What was handed in, as the assignments see it.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/intake/intake.h"
#include "grader/rubric/rubric.h"

namespace attn {

/// A copy of a submission, in which sources have the names that the assignments expect.
struct HandedIn {
    intake::Intake intake;  ///< its notes say which file was taken for which source
    /// Sentences about files that may be meant as a source, where it cannot be told which.
    std::vector<std::string> unclear;
};

/// Takes a submission in. For a source that is missing, another file is taken under its name if it is the only one that
/// can be meant: a file called like it ("self_attention (1).cpp", "Self_Attention.cpp", "my self_attention_v2.cpp.txt")
/// that has a function of the assignment or, if one assignment only is graded, the only file that has. The source of
/// another assignment is taken, too, if it alone has all functions of this one. `all` are the rubrics of all
/// assignments, with all parts. Throws UserError as intake::take_in() does.
HandedIn take_in_sources(const std::filesystem::path& submission, const std::vector<rubric::Rubric>& all,
                         const std::vector<const rubric::Rubric*>& graded);

/// Throws UserError if nothing that was handed in can be graded: there is no source, it cannot be told which file is
/// one, or a file is no text. This is a mistake in handing in or on a platform, which must not become a mark of zero. If
/// one of several assignments can be graded, the others' unreadable files become notes.
void require_some_source(const std::filesystem::path& submission, HandedIn& handed_in,
                         const std::vector<const rubric::Rubric*>& graded);

}  // namespace attn
