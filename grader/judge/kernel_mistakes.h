#pragma once
/// The mistakes of GPU programming. They are recognised by a finding of the emulator, or by a pattern in the
/// output that no mistake in the equations makes.

#include <string>
#include <string_view>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// The kind of the finding "a kernel does not end".
inline constexpr std::string_view kEndless = "endless";

/// KIND of "KIND: TEXT". A sentence of the judge may stand before KIND.
std::string_view kind_of_finding(std::string_view found);

/// The same text without the kind.
std::string text_of_finding(std::string_view found);

/// The name of the mistake that causes findings of this kind. Empty if none is known.
std::string mistake_for_finding(std::string_view kind);

/// Adds the diagnosis of a mistake in kernels to a check, and removes the kind of the finding from its
/// message. Does not change the check if no GPU mistake explains the verdict.
void name_kernel_mistake(const Verdict& verdict, report::Check& check);

}  // namespace attn::judge
