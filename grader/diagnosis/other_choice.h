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
/// Nothing is named if a call that fails is wrong with the other choices, too, whatever else the cases' calls have.
void name_in_branches(NumericResult& judged, const std::vector<Evidence>& answers,
                      const judge::CallFunction& call);

}  // namespace attn::diagnosis
