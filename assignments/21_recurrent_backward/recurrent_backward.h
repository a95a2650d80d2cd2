#pragma once
/// Assignment 21: recurrent backward. You write these four functions in student/recurrent_backward.cpp.
///
/// Each function is the backward pass of a function of assignment 1: the decoder with attention. Somewhere
/// after this function a loss is computed, one number. You get its gradient with respect to the function's
/// output, and compute those with respect to the inputs. dh, the gradient of h, has the shape of h:
///   dh[b, j, d] = how much the loss grows for each unit that h[b, j, d] grows
/// The inputs are those of the forward function, after the gradients of its outputs. Nothing else of the
/// forward pass has been kept: what you need of it, you compute again.
/// Conventions of the whole course: outputs first, then inputs, then options; arrays are dense, row-major,
/// float; vectors are rows, weights are [in, out]; the outputs exist and have the right shape, write every
/// element; masks are uint8, 1 = may attend, 0 = may not.
/// Letters:  B batches, T words of the source sentence, L steps of the decoder, D_h numbers in an encoder
///           state, D_s in a decoder state, D_y in a target word, D_a in the score's hidden layer;
///           b batch, j source word, d feature, t step.

#include <cstdint>

#include "../01_rnn_attention/rnn_attention.h"
#include "../tensor.h"

namespace attn {

/// The gradients of DecoderWeights.
template <class T>
struct DecoderGradients {
    TensorView<T, 2> dW_q;  ///< [D_s, D_a]
    TensorView<T, 2> dW_k;  ///< [D_h, D_a]
    TensorView<T, 1> dv;    ///< [D_a]
    TensorView<T, 2> dW_x;  ///< [D_y + D_h, D_s]
    TensorView<T, 2> dW_s;  ///< [D_s, D_s]
    TensorView<T, 1> db;    ///< [D_s]
    TensorView<T, 2> dW_0;  ///< [D_h, D_s]
    TensorView<T, 1> db_0;  ///< [D_s]
};

/// Backward of the additive scores. With z[b, j] = s_prev[b] W_q + h[b, j] W_k and
/// dz[b, j] = de[b, j] v (1 - tanh(z[b, j])^2),
///   ds_prev[b] = sum_j dz[b, j] W_q^T      [B, D_s]
///   dh[b, j] = dz[b, j] W_k^T      [B, T, D_h]
///   dW_q = sum_b sum_j s_prev[b]^T dz[b, j]      [D_s, D_a]
///   dW_k = sum_b sum_j h[b, j]^T dz[b, j]      [D_h, D_a]
///   dv = sum_b sum_j de[b, j] tanh(z[b, j])      [D_a]
/// de [B, T], s_prev [B, D_s], h [B, T, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a].
/// Source: the chain rule; Bahdanau, Cho & Bengio 2015, appendix A.1.2.
void additive_scores_backward(TensorView<float, 2> ds_prev, TensorView<float, 3> dh,
                              TensorView<float, 2> dW_q, TensorView<float, 2> dW_k, TensorView<float, 1> dv,
                              TensorView<const float, 2> de, TensorView<const float, 2> s_prev,
                              TensorView<const float, 3> h, TensorView<const float, 2> W_q,
                              TensorView<const float, 2> W_k, TensorView<const float, 1> v);

/// Backward of attention weights and context. Both outputs have a gradient. The weights have two paths to
/// the loss, da and dc, and h has one through c:
///   de[b] = masked softmax's backward of da[b, j] + dc[b] . h[b, j]      [B, T]
///   dh[b, j] = a[b, j] dc[b]      [B, T, D_h]
/// de[b, j] = 0 where mask[b, j] = 0. da and e [B, T], dc [B, D_h], h [B, T, D_h], mask [B, T]. Scores may be
/// +-10000. Source: the chain rule; Bahdanau, Cho & Bengio 2015, eqs. (5) and (6).
void attention_context_backward(TensorView<float, 2> de, TensorView<float, 3> dh,
                                TensorView<const float, 2> da, TensorView<const float, 2> dc,
                                TensorView<const float, 2> e, TensorView<const float, 3> h,
                                TensorView<const std::uint8_t, 2> mask);

/// Backward of one step of the decoder. With dz[i] = ds[i] (1 - s[i]^2) for batch i,
///   dy_prev[i] = dz[i] (the first D_y rows of W_x)^T      [B, D_y]
///   dc[i] = dz[i] (the other rows of W_x)^T      [B, D_h]
///   ds_prev[i] = dz[i] W_s^T      [B, D_s]
///   dW_x = sum_i [y_prev[i]; c[i]]^T dz[i]      [D_y + D_h, D_s]
///   dW_s = sum_i s_prev[i]^T dz[i]      [D_s, D_s]
///   db = sum_i dz[i]      [D_s]
/// ds [B, D_s], y_prev [B, D_y], c [B, D_h], s_prev [B, D_s], W_x [D_y + D_h, D_s], W_s [D_s, D_s], b [D_s].
/// Source: the chain rule through tanh, whose derivative is 1 - tanh^2.
void decoder_step_backward(TensorView<float, 2> dy_prev, TensorView<float, 2> dc,
                           TensorView<float, 2> ds_prev, TensorView<float, 2> dW_x, TensorView<float, 2> dW_s,
                           TensorView<float, 1> db, TensorView<const float, 2> ds,
                           TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                           TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                           TensorView<const float, 2> W_s, TensorView<const float, 1> b);

/// Backward of the decoder, through time: from step L to step 1. The loss reads every state, so that the
/// gradient of s_t is dS[b, t - 1] plus what comes back from step t + 1. It does not read the weights A: the
/// lectures do not supervise attention weights, they learn through the context. A sentence without a word has h_last = 0, and adds
/// to db_0.
///   dh[b, j] = the sums of what comes back from all steps and from h_last      [B, T, D_h]
///   dy[b, t - 1] = dy_prev of step t, 0 for y_L      [B, L + 1, D_y]
/// Every step uses the same weights, so that their gradients are sums over the steps. dS [B, L, D_s],
/// h [B, T, D_h], mask [B, T], y [B, L + 1, D_y].
/// Source: Werbos 1990 (backpropagation through time); the lectures' "backprop through everything".
void decode_backward(TensorView<float, 3> dh, TensorView<float, 3> dy,
                     const DecoderGradients<float>& gradients, TensorView<const float, 3> dS,
                     TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                     TensorView<const float, 3> y, const DecoderWeights<float>& weights);

}  // namespace attn
