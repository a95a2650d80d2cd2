#pragma once
/// The findings, each noted once per place. Unless another program hosts the emulator, they are printed at
/// once.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attn_emulator.h"

namespace attn::emulator {

/// True while findings are only collected: the program that hosts the emulator prints them and resolves the
/// places.
bool hosted();

/// Notes a finding, unless one with the same `kind` and `key` (mostly its places) was noted before.
void note(const std::string& kind, const std::string& key, const std::string& text);

/// True if a finding with this kind and key was noted before, so that its text is not needed.
bool noted(const std::string& kind, const std::string& key);

/// Remembers a key without a finding. False if it was remembered or noted before, since forget_findings().
bool remember_key(const std::string& kind, const std::string& key);

void forget_findings(bool hosted);

/// Writes every finding to this file at once, as "KIND<tab>TEXT", so that a program that crashes loses none.
void write_findings_to(const char* file);

/// Writes a line to that file, if there is one. It may be called in a signal handler.
void write_line(const char* text, std::size_t size);

/// The text with every @{MODULE+0xHEX} replaced by file:line.
std::string resolved(const std::string& text);

}  // namespace attn::emulator
