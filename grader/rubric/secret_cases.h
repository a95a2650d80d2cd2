#pragma once
/// secret.toml: cases beside the rubric's that students never see, for the mark.

#include "grader/rubric/rubric.h"

namespace attn::submission {

/// Adds the cases of secret.toml in the rubric's folder to its parts; nothing where there is no such file.
/// Throws UserError as read_rubric does.
void add_secret_cases(Rubric& rubric);

}  // namespace attn::submission
