#pragma once
/// Finds out whether a function does what another choice of an option asks for: GELU where ReLU is wanted.

#include <optional>
#include <span>

#include "grader/diagnosis/diagnose.h"

namespace attn::diagnosis {

/// Says of which choices the answers are, if all answers of each choice have the numbers of one choice. Nothing if
/// that does not hold, or if every answer has the numbers of its own choice.
std::optional<report::Diagnosis> right_for_another_choice(std::span<const Evidence> answers);

}  // namespace attn::diagnosis
