#pragma once
/// What the emulator found: told once for each place, at once where nobody else will tell it.

#include <cstdint>
#include <string>
#include <vector>

#include "attn_emulator.h"

namespace attn::emulator {

/// True while findings are only collected: whoever hosts the emulator tells them and resolves the places.
bool hosted();

/// Notes a finding unless one with this `kind` and `key` (its places, mostly) was noted before.
void note(const std::string& kind, const std::string& key, const std::string& text);

/// True where a finding of this kind and key was noted already: its text need not be made.
bool noted(const std::string& kind, const std::string& key);

/// Remembers a key without a finding. False where it was known, or noted, since the findings were forgotten.
bool remember(const std::string& kind, const std::string& key);

void forget_findings(bool hosted);

/// The text with every @{MODULE+0xHEX} as file:line.
std::string resolved(const std::string& text);

}  // namespace attn::emulator
