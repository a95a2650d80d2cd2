#pragma once
/// Assignment 13: backward. You write these ten functions in student/backward.cpp.
///
/// Each function is the backward pass of a function of an earlier assignment. Somewhere after this function
/// a loss is computed, one number. You get its gradient with respect to the function's output, and compute
/// those with respect to the inputs. dX, the gradient of X, has the shape of X:
///   dX[b, i, d] = how much the loss grows for each unit that X[b, i, d] grows
/// The inputs are those of the forward function, after the gradients of its outputs. Nothing else of the
/// forward pass has been kept: what you need of it, you compute again.
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not.
/// Letters:  B batches, N vectors in a sequence (N_q queries, N_k keys), D numbers in a vector (D_x of a
///           token, D_q of a query or key, D_v of a value), F numbers in the hidden layer of the feed-forward,
///           V tokens in the vocabulary, H heads; in embed_patches_backward C channels, H rows and W columns of
///           pixels, P pixels along a patch's side;
///           b batch, i query or token, j key, d feature.

#include <cstdint>

#include "../03_multi_head/multi_head.h"
#include "../05_transformer_block/transformer_block.h"
#include "../21_recurrent_backward/recurrent_backward.h"  // one backward.cpp may hold the functions of both
#include "../tensor.h"

namespace attn {

/// The gradients of MultiHeadWeights.
template <class T>
struct MultiHeadGradients {
    TensorView<T, 2> dW_Q;  ///< [D, D]
    TensorView<T, 1> db_Q;  ///< [D]
    TensorView<T, 2> dW_K;  ///< [D, D]
    TensorView<T, 1> db_K;  ///< [D]
    TensorView<T, 2> dW_V;  ///< [D, D]
    TensorView<T, 1> db_V;  ///< [D]
    TensorView<T, 2> dW_O;  ///< [D, D]
    TensorView<T, 1> db_O;  ///< [D]
};

/// The gradients of BlockWeights.
template <class T>
struct BlockGradients {
    TensorView<T, 1> dgamma_1, dbeta_1;  ///< [D]
    MultiHeadGradients<T> attention;
    TensorView<T, 1> dgamma_2, dbeta_2;  ///< [D]
    TensorView<T, 2> dW_1;               ///< [D, F]
    TensorView<T, 1> db_1;               ///< [F]
    TensorView<T, 2> dW_2;               ///< [F, D]
    TensorView<T, 1> db_2;               ///< [D]
};

/// Backward of softmax: with Y = softmax(X) by rows,
///   dX[i, j] = Y[i, j] (dY[i, j] - sum_k dY[i, k] Y[i, k])      dX, dY, X [N, D]
/// X may hold numbers of +-1000.
/// Source: the quotient rule; Goodfellow, Bengio & Courville 2016, section 6.2.2.3.
void softmax_backward(TensorView<float, 2> dX, TensorView<const float, 2> dY, TensorView<const float, 2> X);

/// Backward of scaled dot-product attention. With E and A as there,
///   dA = dY V^T                       [B, N_q, N_k]
///   dE = softmax_backward of dA, E    [B, N_q, N_k]
///   dQ = dE K / sqrt(D_q)      [B, N_q, D_q]
///   dK = dE^T Q / sqrt(D_q)      [B, N_k, D_q]
///   dV = A^T dY      [B, N_k, D_v]
/// dY [B, N_q, D_v], Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v]. Scores may be +-1000.
/// Source: the chain rule; Dao et al. 2022, appendix B.2.
void scaled_dot_product_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK,
                                           TensorView<float, 3> dV, TensorView<const float, 3> dY,
                                           TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                           TensorView<const float, 3> V);

/// Backward of masked attention: the same, with A of the masked softmax. Where the mask is 0, dE is 0; a
/// query that may attend to nothing has dQ = 0.
///   dQ = dE K / sqrt(D_q)      [B, N_q, D_q]
///   dK = dE^T Q / sqrt(D_q)      [B, N_k, D_q]
///   dV = A^T dY      [B, N_k, D_v]
/// dY [B, N_q, D_v], Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], mask [B, N_q, N_k]. Scores may be
/// +-1000. Source: the chain rule; Vaswani et al. 2017, section 3.2.3 for the mask.
void masked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                               TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                               TensorView<const float, 3> K, TensorView<const float, 3> V,
                               TensorView<const std::uint8_t, 3> mask);

/// Backward of the self-attention layer. With dQ, dK, dV of scaled dot-product attention,
///   dX = dQ W_Q^T + dK W_K^T + dV W_V^T      [B, N, D_x]
///   dW_Q = sum_b X[b]^T dQ[b]      [D_x, D_q]
///   dW_K = sum_b X[b]^T dK[b]      [D_x, D_q]
///   dW_V = sum_b X[b]^T dV[b]      [D_x, D_v]
/// dY [B, N, D_v], X [B, N, D_x], W_Q and W_K [D_x, D_q], W_V [D_x, D_v].
/// Source: the chain rule, with a path into X for each product that X is in.
void self_attention_backward(TensorView<float, 3> dX, TensorView<float, 2> dW_Q, TensorView<float, 2> dW_K,
                             TensorView<float, 2> dW_V, TensorView<const float, 3> dY,
                             TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                             TensorView<const float, 2> W_K, TensorView<const float, 2> W_V);

/// Backward of multi-head attention. X_q and X_kv are different inputs, even if a caller gives the same
/// array for both: then its gradient is dX_q + dX_kv.
///   dX_q = dQ W_Q^T      [B, N_q, D]
///   dX_kv = dK W_K^T + dV W_V^T      [B, N_k, D]
/// The gradient of a bias is the sum over all rows that it was added to; the gradient of W_O is
/// sum_b O[b]^T dY[b] with the heads side by side in O. dY and X_q [B, N_q, D], X_kv [B, N_k, D],
/// mask [B, N_q, N_k] (optional). Throws std::invalid_argument where H does not divide D.
/// Source: the chain rule; Vaswani et al. 2017, section 3.2.2.
void multi_head_attention_backward(TensorView<float, 3> dX_q, TensorView<float, 3> dX_kv,
                                   const MultiHeadGradients<float>& gradients, TensorView<const float, 3> dY,
                                   TensorView<const float, 3> X_q, TensorView<const float, 3> X_kv,
                                   const MultiHeadWeights<float>& weights,
                                   TensorView<const std::uint8_t, 3> mask, int H);

/// Backward of layer norm. With x_hat[i, d] = (X[i, d] - mu_i) / sqrt(var_i + eps) and
/// g[i, d] = dY[i, d] gamma[d],
///   dX[i, d] = (g[i, d] - 1/D sum_k g[i, k] - x_hat[i, d] 1/D sum_k g[i, k] x_hat[i, k]) / sqrt(var_i + eps)
///   dgamma[d] = sum_i dY[i, d] x_hat[i, d]      [D]
///   dbeta[d] = sum_i dY[i, d]      [D]
/// dX, dY, X [N, D], gamma, beta [D]. beta changes no gradient. Requires eps (default 1e-5) > 0.
/// Source: the chain rule through mu and var; Ba, Kiros & Hinton 2016, eq. (4).
void layer_norm_backward(TensorView<float, 2> dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta,
                         TensorView<const float, 2> dY, TensorView<const float, 2> X,
                         TensorView<const float, 1> gamma, TensorView<const float, 1> beta, float eps);

/// Backward of the feed-forward. With U = X W_1 + b_1 and M = activation(U),
///   dU = (dY W_2^T) activation'(U), number by number
///   dX = dU W_1^T      [N, D]
///   dW_1 = X^T dU      [D, F]
///   db_1[f] = sum_i dU[i, f]      [F]
///   dW_2 = M^T dY      [F, D]
///   db_2[d] = sum_i dY[i, d]      [D]
/// dY and X [N, D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D]. The derivative of relu at 0 may be any number
/// from 0 to 1; of gelu both terms count. b_2 changes no gradient.
/// Source: the chain rule; Hendrycks & Gimpel 2016 for GELU.
void feed_forward_backward(TensorView<float, 2> dX, TensorView<float, 2> dW_1, TensorView<float, 1> db_1,
                           TensorView<float, 2> dW_2, TensorView<float, 1> db_2,
                           TensorView<const float, 2> dY, TensorView<const float, 2> X,
                           TensorView<const float, 2> W_1, TensorView<const float, 1> b_1,
                           TensorView<const float, 2> W_2, TensorView<const float, 1> b_2,
                           Activation activation);

/// Backward of one transformer block: its steps in reverse order. A residual Z = X + f(X) has two paths:
///   dX = dZ + (backward of f for dZ)      [B, N, D]
/// dY and X [B, N, D], mask [B, N, N] (optional), eps (default 1e-5) of both layer norms. Throws
/// std::invalid_argument where H does not divide D.
/// Source: the chain rule; Xiong et al. 2020, figure 1 for pre and post.
void transformer_block_backward(TensorView<float, 3> dX, const BlockGradients<float>& gradients,
                                TensorView<const float, 3> dY, TensorView<const float, 3> X,
                                const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask,
                                int H, Norm norm, Activation activation, float eps);

/// Backward of the patch embedding. With `patches` as patchify cuts them, N = (H/P) (W/P) of them,
///   dX = unpatchify of the dZ[b, i + 1] E^T, pixel by pixel      [B, C, H, W]
///   dE = sum_b sum_i patches[b, i]^T dZ[b, i + 1]      [P P C, D]
///   db[d] = sum_b sum_i dZ[b, i + 1, d]      [D]
///   dcls[d] = sum_b dZ[b, 0, d]      [D]
///   dE_pos = sum_b dZ[b]      [H/P W/P + 1, D]
/// The class token has no patch. dZ [B, H/P W/P + 1, D], X [B, C, H, W], E [P P C, D], b and cls [D],
/// E_pos [H/P W/P + 1, D]. Throws std::invalid_argument where P does not divide H and W.
/// Source: Dosovitskiy et al. 2020, eq. (1).
void embed_patches_backward(TensorView<float, 4> dX, TensorView<float, 2> dE, TensorView<float, 1> db,
                            TensorView<float, 1> dcls, TensorView<float, 2> dE_pos,
                            TensorView<const float, 3> dZ, TensorView<const float, 4> X,
                            TensorView<const float, 2> E, TensorView<const float, 1> b,
                            TensorView<const float, 1> cls, TensorView<const float, 2> E_pos, int P);

/// Backward of the cross entropy, with n targets that count, those that are not -1.
///   p = softmax(logits[b, i])
///   q[v] = (1 - smoothing) [v = targets[b, i]] + smoothing / V
///   dlogits[b, i, v] = dloss (p[v] - q[v]) / n, or 0 where targets[b, i] = -1      [B, N, V]
/// dloss [1], logits [B, N, V], targets [B, N], smoothing (default 0), from 0 to 1. Logits may be +-10000.
/// Throws std::invalid_argument where targets is outside -1 .. V - 1.
/// Source: the derivative of log softmax; Szegedy et al. 2016, section 7, for smoothing.
void cross_entropy_backward(TensorView<float, 3> dlogits, TensorView<const float, 1> dloss,
                            TensorView<const float, 3> logits, TensorView<const int, 2> targets,
                            float smoothing);

}  // namespace attn
