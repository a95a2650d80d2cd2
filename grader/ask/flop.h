#pragma once
/// Floating-point operations of a direct computation of each function, for speeds in GFLOP/s.
/// Each +, -, *, / and each maximum of two numbers counts 1, so a sum of n products counts 2 n. Each exp,
/// tanh, square root and activation counts 1, too. Scores that a mask forbids are counted as well. A value
/// that is the same in every step is counted once. The count is not a lower bound: a program that skips
/// masked scores, or multiplies matrices in a better order, needs fewer operations.

#include "grader/ask/dims.h"

namespace attn::ask::flop {

/// [n, k] times [k, m]
double product(double n, double k, double m);
/// Softmax of `rows` rows of n numbers: maximum, differences, exp, sum, quotients.
double softmax(double rows, double n);

/// One function for each function of the contract (see assignments/). `n` has the lengths by letter.
double additive_scores(const Sizes& n);
double decode(const Sizes& n);
double grid_attention(const Sizes& n);
double scaled_dot_product_attention(const Sizes& n);
double self_attention(const Sizes& n);
double multi_head_attention(const Sizes& n);
double layer_norm(const Sizes& n);
double feed_forward(const Sizes& n);
double transformer_block(const Sizes& n);
double transformer_encoder(const Sizes& n);
double embed_patches(const Sizes& n);
double vit_encode(const Sizes& n);

}  // namespace attn::ask::flop
