#pragma once
/// Pseudonyms for students, for everything that a class is shown.

#include <string>

namespace attn::classes {

/// A random pseudonym such as "quiet-otter-42". Nothing about the student goes into it. The caller makes sure
/// that it is new.
std::string new_pseudonym();

}  // namespace attn::classes
