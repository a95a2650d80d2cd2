#pragma once
/// Mistakes in some of an option's choices only, and functions that do what another choice asks for: GELU where ReLU is
/// wanted.

#include <optional>
#include <span>

#include "grader/diagnosis/numeric.h"

namespace attn::diagnosis {

/// Says of which choices the answers are, if all answers of each choice have the numbers of one choice. Nothing if
/// that does not hold, or if every answer has the numbers of its own choice.
std::optional<report::Diagnosis> right_for_another_choice(std::span<const Evidence> answers);

/// Names the mistake that explains all answers of the branches in which the function fails. The others refute it, so
/// its sentence says of which branches it speaks.
void name_in_branches(NumericResult& judged, const std::vector<Evidence>& answers);

/// A mistake that is named for some choices has to be right for the others, whatever else a case has: a failed call is
/// asked again with each other choice. If it fails there as well, the choice is not what makes the difference.
void require_right_branches(NumericResult& judged, const judge::CallFunction& call);

}  // namespace attn::diagnosis
