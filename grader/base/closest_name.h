#pragma once
/// Finds the name that was meant by a mistyped word.

#include <span>
#include <string>

namespace attn {

/// The name that takes the fewest edits to get from `typed`, whatever the case of its letters (an edit adds, removes
/// or replaces a letter); empty if none is within one edit for each three letters. Of equally near names the first.
std::string closest(const std::string& typed, std::span<const std::string> names);

/// " Did you mean NAME?", or nothing if no name is near.
std::string did_you_mean(const std::string& typed, std::span<const std::string> names);

}  // namespace attn
