#pragma once
/// The text about helpers that `grader catalogue` prints.

#include <string_view>

namespace attn::cli {

/// The documented functions of headers with helpers. The build writes it (grader/contract/).
extern const std::string_view kHelperText;

}  // namespace attn::cli
