#pragma once
/// Assignment 12: what its recipes and properties share.

namespace attn::ask::masked_language_model {

/// The special tokens <pad>, <s>, </s>, <sep> and <mask> are the first ones. All others are words.
inline constexpr int kSpecial = 5;

}  // namespace attn::ask::masked_language_model
