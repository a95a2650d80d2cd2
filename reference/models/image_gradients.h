#pragma once
/// Gradients of functions of assignments 8 and 16, as plain loops in assignment 13's form: the gradients, then dY, then
/// the forward's inputs. No assignment asks for them, but the trainings of captions and of convolutions need them.

#include "assignments/01_rnn_attention/rnn_attention.h"
#include "assignments/21_recurrent_backward/recurrent_backward.h"
#include "assignments/tensor.h"

namespace attn::cpu {

/// Backward of conv2d. With Y[r, k] = bias + sum_{p, q} X[S r + p - 1, S k + q - 1] W[p, q],
///   dX[b, S r + p - 1, S k + q - 1, d] = sum of dY[b, r, k, o] W[p, q, d, o] over all (r, k), (p, q) and o that meet there
///   dW[p, q, d, o] = sum_{b, r, k} X[b, S r + p - 1, S k + q - 1, d] dY[b, r, k, o]
///   dbias[o] = sum_{b, r, k} dY[b, r, k, o]
/// dX and X [B, R, C, D_in], dW and W [3, 3, D_in, D_out], dY [B, ceil(R/S), ceil(C/S), D_out]. dX may be an empty view.
/// Source: the chain rule; Dumoulin & Visin 2016, section 4, for dX as a transposed convolution.
template <class T>
void conv2d_backward(TensorView<T, 4> dX, TensorView<T, 4> dW, TensorView<T, 1> dbias,
                     TensorView<const T, 4> dY, TensorView<const T, 4> X, TensorView<const T, 4> W,
                     TensorView<const T, 1> bias, int S);

/// Backward of batch norm in training, that is through the batch's own mean and variance. With M = B N vectors and
/// x_hat[m, d] = (X[m, d] - mu[d]) / sqrt(var[d] + eps),
///   dgamma[d] = sum_m dY[m, d] x_hat[m, d]
///   dbeta[d] = sum_m dY[m, d]
///   dX[m, d] = gamma[d] (dY[m, d] - 1/M dbeta[d] - x_hat[m, d] 1/M dgamma[d]) / sqrt(var[d] + eps)
/// dX, dY, X [B, N, D], gamma, beta [D]. Source: Ioffe & Szegedy 2015, section 3.
template <class T>
void batch_norm_backward(TensorView<T, 3> dX, TensorView<T, 1> dgamma, TensorView<T, 1> dbeta,
                         TensorView<const T, 3> dY, TensorView<const T, 3> X, TensorView<const T, 1> gamma,
                         TensorView<const T, 1> beta, T eps);

/// The states and maps of a captioner that reads given words: assignment 8's first_state, then L times grid_attention and
/// decoder_step. A cell of a grid is a word of a sentence without padding, so that this is the decoder of assignment 1 but
/// for the first state. If it does not look at the grid, the context is 0 and A is 0: then it is show_and_tell with the
/// first D_y rows of W_x.
///   S [B, L, D_s], A [B, L, R C] (optional), grid [B, R, C, D_h], y [B, L + 1, D_y]
template <class T>
void caption_states(TensorView<T, 3> S, TensorView<T, 3> A, TensorView<const T, 4> grid, bool looks,
                    TensorView<const T, 3> y, const DecoderWeights<T>& weights);

/// Backward of caption_states: decode_backward of assignment 21 for each image, and the first state's. With
/// dz = ds_0 (1 - s_0^2) and the mean m of the cells of an image,
///   dW_0 = sum of m^T dz, db_0 = sum of dz, and every cell of dgrid gets 1/(R C) dz W_0^T
/// Source: the chain rule; Xu et al. 2015, section 3.1.2, for the first state.
template <class T>
void caption_states_backward(TensorView<T, 4> dgrid, TensorView<T, 3> dy,
                             const DecoderGradients<T>& gradients, TensorView<const T, 3> dS,
                             TensorView<const T, 4> grid, bool looks, TensorView<const T, 3> y,
                             const DecoderWeights<T>& weights);

}  // namespace attn::cpu
