#pragma once
/// secret.toml: cases that students never see. They are added to those of the rubric when the mark is given.

#include "grader/rubric/rubric.h"

namespace attn::rubric {

/// Adds the cases of secret.toml to the parts of the rubric. The file lies in the rubric's folder; if there
/// is none, this function does nothing. Throws UserError like read_rubric.
void add_secret_cases(Rubric& rubric);

}  // namespace attn::rubric
