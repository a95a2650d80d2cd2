#pragma once
/// The CUDA constructs that the emulator does not support, and what to write instead.

#include <stdexcept>
#include <string>
#include <string_view>

#include "grader/emulator/masked_source.h"

namespace attn::emulator {

/// Thrown for a source that cannot be emulated. The message is "FILE:LINE: CONSTRUCT; INSTEAD".
struct Unsupported : std::runtime_error {
    Unsupported(const std::string& in, int at, const std::string& found, const std::string& use)
        : std::runtime_error(in + ":" + std::to_string(at) + ": " + found + "; " + use),
          file(in),
          line(at),
          construct(found),
          instead(use) {}
    std::string file;
    int line;
    std::string construct, instead;
};

/// Throws Unsupported for the first construct in a text that is known not to be emulated. `name`: the file's
/// name.
void refuse_unsupported(std::string_view text, const MaskedSource& masked, const std::string& name);

}  // namespace attn::emulator
