#pragma once
/// Everything of the grader that reads a student's text without running it, for the fuzzers. Each reader has
/// to return or to refuse the text in the way that its header says; anything else is an error of the grader.

#include <string>
#include <string_view>

namespace attn::proof {

/// The readers, by number: includes, the facts of a source, the front end of kernels, assembly, messages; then
/// those of archives and of rubrics, which need not be sources.
inline constexpr int kReaders = 7, kTextReaders = 5, kFactsReader = 1;

/// Lets one reader read a text. Throws std::logic_error if what it returns cannot be right, and whatever a
/// reader throws that its header does not allow.
void read_hostile_text(int reader, std::string_view text);

}  // namespace attn::proof
