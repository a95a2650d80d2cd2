#pragma once
/// Pictures of a check as text: what they show in sentences, and small drawings that are no check.

#include <string>

#include "grader/report/report.h"

namespace attn::report {

/// The sentences of the check's pictures, and tables of those drawings that have words along their sides and
/// judge nothing, such as attention weights. Empty if there are none. The check's texts have to be cleaned.
std::string drawing_text(const Check& check, std::size_t width);

}  // namespace attn::report
