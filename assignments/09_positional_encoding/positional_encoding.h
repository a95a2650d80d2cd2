#pragma once
/// Assignment 9: positional encoding. You write these eight functions in student/positional_encoding.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows; the outputs exist and have the right shape, write every element.
/// Positions are counted from 0.
/// Letters:  B batches, N vectors in a sequence, D numbers in a vector (D_p in a position, D_q in a query or
///           key, D_v in a value), C the largest distance, H heads; b batch, p position, i query or pair,
///           j key, d feature, h head.

#include "../02_self_attention/self_attention.h"
#include "../tensor.h"

namespace attn {

/// Four ways to write down a position that fail, each for a reason of its own. The number is the same in
/// every column.
///   index       p
///   fraction    p / N
///   saturating  tanh(p)
///   one_sine    sin(p)
enum class Naive { index, fraction, saturating, one_sine };

/// Naive positions: one number for each position, in every column.
///   P[p, d] = p, p / N, tanh(p) or sin(p)      [N, D]
/// Source: the slide "Positional Encoding - Addition" of CS60010 at IIT Kharagpur.
void naive_positions(TensorView<float, 2> P, Naive kind);

/// Sinusoidal positions.
///   P[p, 2i]     = sin(p / 10000^(2i/D))      [N, D]
///   P[p, 2i + 1] = cos(p / 10000^(2i/D))      [N, D]
/// Pairs are counted from i = 0. If D is odd, the last column is the sine of a pair without a cosine.
/// Source: Vaswani et al. 2017, section 3.5.
void sinusoidal_positions(TensorView<float, 2> P);

/// Positions added to the vectors of a sequence, the same ones in every batch.
///   Y[b, p, d] = X[b, p, d] + P[p, d]      X, Y [B, N, D], P [N, D]
void add_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P);

/// Positions after the vectors of a sequence, the same ones in every batch.
///   Y[b, p] = [X[b, p]; P[p]]      [B, N, D + D_p]
/// X [B, N, D], P [N, D_p].
void concatenate_positions(TensorView<float, 3> Y, TensorView<const float, 3> X,
                           TensorView<const float, 2> P);

/// Attention that knows how far a key is from the query: a learned vector for each distance from -C to C is
/// added to the key, another one to the value. Distances beyond C count as C, those below -C as -C.
///   r = min(max(j - i, -C), C) + C      the row of R_K and R_V for query i and key j
///   E[b, i, j] = Q[b, i] . (K[b, j] + R_K[r]) / sqrt(D_q)
///   A = softmax(E) by rows      [B, N, N] (optional)
///   Y[b, i] = sum_j A[b, i, j] (V[b, j] + R_V[r])      [B, N, D_v]
/// Q, K [B, N, D_q], V [B, N, D_v], R_K [2 C + 1, D_q], R_V [2 C + 1, D_v]. Row C belongs to j = i.
/// Requires N >= 1, D_q >= 1, C >= 1.
/// Source: Shaw, Uszkoreit & Vaswani 2018, eqs. (3) to (5).
void relative_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                        TensorView<const float, 3> K, TensorView<const float, 3> V,
                        TensorView<const float, 2> R_K, TensorView<const float, 2> R_V, int C);

/// Rotary positions: every pair of neighbouring numbers is turned by an angle that grows with the position.
///   a = (offset + p) / 10000^(2i/D)
///   Y[b, p, 2i]     = X[b, p, 2i] cos(a) - X[b, p, 2i + 1] sin(a)
///   Y[b, p, 2i + 1] = X[b, p, 2i] sin(a) + X[b, p, 2i + 1] cos(a)
/// X, Y [B, N, D]. The first vector has the position offset (default 0), which is 0 or more. Throws
/// std::invalid_argument where 2 does not divide D.
/// Source: Su et al. 2021, eqs. (14), (15) and (34).
void rotary_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, int offset);

/// Attention with rotary positions: scaled dot-product attention of the rotated queries, the rotated keys and
/// the values, all from position 0.
///   Y = attention of rotary(Q), rotary(K), V      [B, N, D_v]
/// Q, K [B, N, D_q], V [B, N, D_v], and the weights A [B, N, N] (optional). Throws std::invalid_argument where 2 does not divide D_q.
/// Source: Su et al. 2021, eq. (16).
void rotary_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V);

/// Attention with linear biases (ALiBi): what each head adds to the scores of its queries and keys.
///   bias[h, i, j] = -2^(-8 (h + 1)/H) |i - j|      [H, N, N]
/// Source: Press, Smith & Lewis 2022, section 3, for heads counted from 0 and for keys on both sides.
void alibi_bias(TensorView<float, 3> bias);

}  // namespace attn
