#pragma once
/// Says in one sentence where a function is right and where it is wrong.

#include <span>
#include <string>

#include "grader/diagnosis/diagnose.h"

namespace attn::diagnosis {

/// "Right with L = 1, wrong from L = 2.", "Right with norm = pre, wrong with norm = post.", "Y is right in
/// the first batch and has errors in every other. A is right in every case." Empty if there is nothing to say.
///
/// A sentence is said only if every one of these answers agrees with it, and also the student's answers to
/// further calls like `failed`, in which only what the sentence names is changed. `smallest`: the smallest
/// failing case, or null. Give only answers that the reader of the sentence may know. `named`: the reader knows the cause, so
/// only places and outputs are told.
std::string failure_pattern(std::span<const Evidence> answers, const Evidence& failed,
                            const Evidence* smallest, const judge::CallFunction& call, bool named = false);

}  // namespace attn::diagnosis
