#pragma once
/// Floating-point operations of a right answer that goes about it directly, for speeds in GFLOP/s. Every +,
/// -,
/// *, / and maximum of two numbers counts one, so a sum of n products 2 n; so does every exp, tanh, square
/// root and activation. What a mask forbids counts as well, and what is the same in every step only once.
/// This is no lower bound: who skips what a mask forbids, or multiplies matrices in a better order, needs
/// less.

#include "grader/ask/dims.h"

namespace attn::ask::flop {

/// [n, k] times [k, m]
double product(double n, double k, double m);
/// Of `rows` rows of n numbers: maximum, differences, exp, sum, quotients.
double softmax(double rows, double n);

// By the letters of the functions' shapes (of the contract: assignments/).
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
