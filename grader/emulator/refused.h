#pragma once
/// What the emulator of CUDA kernels cannot do, and what to write in its place.

#include <stdexcept>
#include <string>
#include <string_view>

#include "grader/emulator/blanked.h"

namespace attn::emulator {

/// A source that cannot be emulated: "FILE:LINE: what; instead".
struct Refused : std::runtime_error {
    Refused(const std::string& in, int at, const std::string& found, const std::string& use)
        : std::runtime_error(in + ":" + std::to_string(at) + ": " + found + "; " + use),
          file(in),
          line(at),
          what_it_is(found),
          instead(use) {}
    std::string file;
    int line;
    std::string what_it_is, instead;
};

/// Throws Refused at the first thing in a text that is known not to be emulated. `name`: the file's.
void refuse_unknown(std::string_view text, const Blanked& blanked, const std::string& name);

}  // namespace attn::emulator
