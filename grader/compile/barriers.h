#pragma once
/// Adds barriers to a student's kernels: see grading/mended_kernels.h. Runs in the reader.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::compile {

/// A __syncthreads() in front of a line, in braces together with the line or not.
struct Barrier {
    int line = 0;
    bool braces = false;
};

/// The text with these barriers. The number of lines stays the same.
std::string with_barriers(std::string_view text, const std::vector<Barrier>& barriers);

/// As a word of the reader's command line, "12" or "12{", and back.
std::string word_of(const Barrier& barrier);
std::optional<Barrier> barrier_of(std::string_view word);

}  // namespace attn::compile
