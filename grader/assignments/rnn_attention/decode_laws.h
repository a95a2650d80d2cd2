#pragma once
/// Assignment 1, what holds from step to step of the decoder.

#include <string>

#include "grader/ask/laws.h"

namespace attn::ask::rnn_attention {

/// Steps 1 .. t do not know the words from y_t on, bit for bit. `last_only`: t = L; else one in the middle.
Property words_to_come(const std::string& name, const std::string& statement, bool last_only);
/// Fewer steps are the first of more.
Property steps_can_be_cut_off();
/// A decoder that begins with s_1 and y_1 says what comes from step 2 on. (Of one sentence: b_0 is shared.)
Property taken_up_again();

}  // namespace attn::ask::rnn_attention
