#pragma once
/// The CUDA constructs that the emulator does not support, and what to write instead.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

/// A text to insert into the source.
struct Insertion {
    std::size_t position;
    std::string text;
};

/// Throws Unsupported for the first construct in a text that is known not to be emulated. `name`: the file's
/// name. In lines that the preprocessor may skip, constructs are not refused: insertions make g++ report
/// those that it does not skip. They are returned in the order of the text.
std::vector<Insertion> refuse_unsupported(std::string_view text, const MaskedSource& masked,
                                          const std::string& name);

/// Throws Unsupported if the messages of g++ have the error of such an insertion.
void refuse_reported(std::string_view messages);

}  // namespace attn::emulator
