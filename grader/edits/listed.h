#pragma once
/// Reads the listed mistakes of an assignment: grader/assignments/x/mistakes.toml.
///
///     [[mistake]]
///     name  = "no_scale"
///     when  = "the scores are not divided by sqrt(D_q)"
///     hint  = "How does the size of q . k grow with D_q?"
///     edits = [["scaled_dot_product_attention", "dot / std::sqrt(static_cast<T>(D_q))", "dot"]]
///
/// `when` completes "Your output is exactly what comes out when ..". An edit is a function of the plain
/// loops, a text that stands there once (or * for the whole body), and what the student wrote in its place. A
/// fourth entry "caller: text of a call" edits the function only as it is called there.

#include <string>
#include <vector>

#include "grader/edits/edit.h"

namespace attn::edits {

/// Throws SourceError with the line if the file is not of this form.
std::vector<ListedMistake> read_listed(const std::string& file, const std::string& text);

}  // namespace attn::edits
