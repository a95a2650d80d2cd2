#pragma once
/// Says which lengths the size of an overrun buffer is a product of, because most such buffers lack a factor.

#include <string>

#include "grader/ask/call_spec.h"

namespace attn::diagnosis {

/// Of the message about an overrun, " These are N D_q = 15 floats. Is B missing? B N D_q = 30." Empty if the message is about
/// something else, or if no product of the call's lengths, or more than one, is the size of the buffer.
std::string lengths_of_buffer(const std::string& message, const ask::CallSpec& call);

}  // namespace attn::diagnosis
