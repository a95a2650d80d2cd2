#pragma once
/// The commands of `grader class`. Each takes its arguments and returns an exit code of cli/program.h.

#include "grader/cli/program.h"

namespace attn::classes {

using cli::Words;

int init_command(const Words& words);        ///< make a class folder
int add_command(const Words& words);         ///< take in a roster or a download
int grade_command(const Words& words);       ///< grade what has no result yet; show the changed marks
int status_command(const Words& words);      ///< what is graded, what is not, and why
int show_command(const Words& words);        ///< one student's attempts and mark
int publish_command(const Words& words);     ///< make the last version the one that is exported
int override_command(const Words& words);    ///< replace a mark, with a reason
int hold_command(const Words& words);        ///< keep a mark back, with a reason
int late_command(const Words& words);        ///< correct when something was handed in, with a reason
int replace_command(const Words& words);     ///< replace files that cannot be graded
int export_command(const Words& words);      ///< write the grades and the feedback for a platform
int report_command(const Words& words);      ///< write the instructor's page
int similarity_command(const Words& words);  ///< write pairs of similar submissions
int work_command(const Words& words);        ///< run one job: what an engine starts on another machine

/// The command that the first word names, with the words after it. Throws UsageError if there is none.
int class_command(const Words& words);

}  // namespace attn::classes
