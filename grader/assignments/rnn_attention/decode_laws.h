#pragma once
/// Assignment 1: properties of the decoder's steps.

#include <string>

#include "grader/ask/laws.h"

namespace attn::ask::rnn_attention {

/// Steps 1 .. t do not depend on the words from y_t on, bit for bit. `last_only`: t = L. Otherwise t is in
/// the middle.
Property words_to_come(const std::string& name, const std::string& statement, bool last_only);
/// A decoder with fewer steps gives the first steps of a longer one.
Property steps_can_be_cut_off();
/// A decoder that begins with s_1 and y_1 gives the steps from 2 on. It uses one sentence only, because all
/// sentences share b_0.
Property taken_up_again();

}  // namespace attn::ask::rnn_attention
