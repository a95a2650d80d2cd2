#pragma once
/// The mistakes of GPU programming, by what they leave behind: a finding of the emulator, or a shape in the
/// output that no mistake in the equations makes.

#include <string>
#include <string_view>

#include "grader/judge/answer.h"
#include "grader/report/report.h"

namespace attn::judge {

/// The kind of a finding that a kernel does not end.
inline constexpr std::string_view kEndless = "endless";

/// KIND of "KIND: TEXT", or of "When it was. KIND: TEXT".
std::string_view kind_of_finding(std::string_view found);

/// The same without the kind.
std::string text_of_finding(std::string_view found);

/// The name of the mistake that findings of a kind are due to; empty where there is none.
std::string mistake_behind(std::string_view kind);

/// Names the mistake behind an answer of kernels, and takes the finding's kind off the message. Leaves the
/// check as it is where nothing of a GPU explains it.
void name_kernel_mistake(const Verdict& verdict, report::Check& check);

}  // namespace attn::judge
