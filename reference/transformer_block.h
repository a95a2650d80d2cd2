#pragma once
/// The reference for assignment 5: plain loops, one text for float and double. No tiling, no fast maths, no
/// library: read it with the slide open. Contract, shapes and sources:
/// assignments/05_transformer_block/transformer_block.h.

#include <cstdint>

#include "assignments/05_transformer_block/transformer_block.h"

namespace attn::cpu {

/// Y[i, d] = gamma[d] (X[i, d] - mu_i) / sqrt(var_i + eps) + beta[d], the mean and variance of row i over
/// 1/D.      X, Y [N, D], gamma, beta [D]
template <class T>
void layer_norm(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 1> gamma,
                TensorView<const T, 1> beta, T eps);

/// Y = activation(X W_1 + b_1) W_2 + b_2      X, Y [N, D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D]
template <class T>
void feed_forward(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W_1,
                  TensorView<const T, 1> b_1, TensorView<const T, 2> W_2, TensorView<const T, 1> b_2,
                  Activation activation);

/// post:  Z = LN_1(X + MHA(X, X)),  Y = LN_2(Z + FF(Z))
/// pre:   Z = X + MHA(LN_1(X), LN_1(X)),  Y = Z + FF(LN_2(Z))
/// X, Y [B, N, D], mask [B, N, N] or empty. Throws std::invalid_argument if H does not divide D.
template <class T>
void transformer_block(TensorView<T, 3> Y, TensorView<const T, 3> X, const BlockWeights<T>& weights,
                       TensorView<const std::uint8_t, 3> mask, int H, Norm norm, Activation activation,
                       T eps);

/// X_0 = X,  X_l = block l of X_{l-1},  Y = LN(X_L) if norm = pre, X_L if norm = post      X, Y [B, N, D]
/// Throws std::invalid_argument if H does not divide D.
template <class T>
void transformer_encoder(TensorView<T, 3> Y, TensorView<const T, 3> X, const EncoderWeights<T>& weights,
                         TensorView<const std::uint8_t, 3> mask, int H, Norm norm, Activation activation,
                         T eps);

}  // namespace attn::cpu
