#pragma once
/// Assignment 15: what several of its files use.

#include "grader/ask/module.h"

namespace attn::ask::fused_attention {

/// The inputs of the backward with the Y and L that attention gives for their Q, K and V.
Arrays consistent(Arrays inputs, bool causal);

}  // namespace attn::ask::fused_attention
