#pragma once
/// Who looks at whom: the attention weights of a block, for pictures.

#include "reference/training/stack.h"

namespace attn::training {

/// Attention weights of sequence b in block l, after a forward of the stack: float [H, N, N] with the name
/// `name`. The mask is causal or there is none.
Array attention_map(const std::string& name, const Stack& stack, const Layout& layout, const float* theta,
                    int l, int b, bool causal);

}  // namespace attn::training
