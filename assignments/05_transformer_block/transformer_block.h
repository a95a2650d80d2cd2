#pragma once
/// Assignment 5: the transformer block. You write these four functions in student/transformer_block.cpp.
///
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not.
/// Letters:  B batches, N vectors in a sequence, D numbers in a vector, F numbers in the hidden layer
///           of the feed-forward, H heads, L blocks, b batch, i token, d feature, l block.

#include <cstdint>

#include "../03_multi_head/multi_head.h"
#include "../tensor.h"

namespace attn {

/// The places of the layer norms.
///   post  Z = LN_1(X + MHA(X)),  Y = LN_2(Z + FF(Z))        Vaswani et al. 2017, the lectures' "Add & Norm"
///   pre   Z = X + MHA(LN_1(X)),  Y = Z + FF(LN_2(Z))        ViT, GPT-2
enum class Norm { pre, post };

/// The activation between the two matrices of the feed-forward.
///   relu       max(0, x)
///   gelu_erf   x Phi(x) = x (1 + erf(x / sqrt 2)) / 2
///   gelu_tanh  x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
enum class Activation { relu, gelu_erf, gelu_tanh };

/// The weights of one block.
template <class T>
struct BlockWeights {
    TensorView<const T, 1> gamma_1, beta_1;  ///< [D]     of the layer norm at the attention
    MultiHeadWeights<T> attention;           ///< W [D, D], b [D]
    TensorView<const T, 1> gamma_2, beta_2;  ///< [D]     of the layer norm at the feed-forward
    TensorView<const T, 2> W_1;              ///< [D, F]
    TensorView<const T, 1> b_1;              ///< [F]
    TensorView<const T, 2> W_2;              ///< [F, D]
    TensorView<const T, 1> b_2;              ///< [D]
};

/// The weights of L blocks, with the blocks along the first axis, and of the layer norm after the last block.
template <class T>
struct EncoderWeights {
    TensorView<const T, 2> gamma_1, beta_1;  ///< [L, D]
    TensorView<const T, 3> W_Q;              ///< [L, D, D]
    TensorView<const T, 2> b_Q;              ///< [L, D]
    TensorView<const T, 3> W_K;              ///< [L, D, D]
    TensorView<const T, 2> b_K;              ///< [L, D]
    TensorView<const T, 3> W_V;              ///< [L, D, D]
    TensorView<const T, 2> b_V;              ///< [L, D]
    TensorView<const T, 3> W_O;              ///< [L, D, D]
    TensorView<const T, 2> b_O;              ///< [L, D]
    TensorView<const T, 2> gamma_2, beta_2;  ///< [L, D]
    TensorView<const T, 3> W_1;              ///< [L, D, F]
    TensorView<const T, 2> b_1;              ///< [L, F]
    TensorView<const T, 3> W_2;              ///< [L, F, D]
    TensorView<const T, 2> b_2;              ///< [L, D]
    TensorView<const T, 1> gamma, beta;      ///< [D]  of the final layer norm

    /// Number of blocks.
    int layers() const { return W_Q.size(0); }
    /// Block l, 0 .. layers() - 1.
    BlockWeights<T> layer(int l) const {
        return {gamma_1[l], beta_1[l], {W_Q[l], b_Q[l], W_K[l], b_K[l], W_V[l], b_V[l], W_O[l], b_O[l]},
                gamma_2[l], beta_2[l], W_1[l],
                b_1[l],     W_2[l],    b_2[l]};
    }
};

/// Layer norm: every row on its own.
///   mu_i = 1/D sum_d X[i, d],  var_i = 1/D sum_d (X[i, d] - mu_i)^2
///   Y[i, d] = gamma[d] (X[i, d] - mu_i) / sqrt(var_i + eps) + beta[d]      X, Y [N, D], gamma, beta [D]
/// Rows may be constant, or lie far from 0 with a small spread.
/// Requires eps (default 1e-5) > 0.
/// Source: Ba, Kiros & Hinton 2016, eq. (4); eps inside the root as in published implementations.
void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps);

/// Position-wise feed-forward: the same two matrices for every token.
///   Y = activation(X W_1 + b_1) W_2 + b_2      X, Y [N, D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D]
/// Source: Vaswani et al. 2017, eq. (2); Hendrycks & Gimpel 2016 for GELU.
void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation);

/// One transformer block: self-attention and feed-forward, each with a residual and a layer norm.
///   norm = post:  Z = LN_1(X + MHA(X, X)),  Y = LN_2(Z + FF(Z))
///   norm = pre:   Z = X + MHA(LN_1(X), LN_1(X)),  Y = Z + FF(LN_2(Z))      X, Y [B, N, D]
/// MHA as in multi_head.h, with H heads and the mask [B, N, N] (optional), which may be an empty view; both
/// layer norms take eps (default 1e-5). Throws std::invalid_argument where H does not divide D.
/// Source: Vaswani et al. 2017, section 3.1 (post); Xiong et al. 2020, figure 1 (pre).
void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps);

/// L transformer blocks, one after the other. With norm = pre the last block's output has never been
/// normalised, so a final layer norm with gamma, beta follows; with norm = post there is none, and gamma and
/// beta are not used.
///   X_0 = X,  X_l = block l of X_{l-1},  Y = LN(X_L) if norm = pre, X_L if norm = post      X, Y [B, N, D]
/// Every block has the same mask [B, N, N] (optional), H, norm, activation and eps (default 1e-5). Throws
/// std::invalid_argument where H does not divide D.
/// Source: Vaswani et al. 2017, section 3.1; Xiong et al. 2020, section 3.
void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps);

}  // namespace attn
