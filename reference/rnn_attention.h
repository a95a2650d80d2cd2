#pragma once
/// The reference for assignment 1: plain loops, one text for float and double. No tiling, no fast maths, no
/// library: read it with the slide open. Contract, shapes and sources:
/// assignments/01_rnn_attention/rnn_attention.h.

#include <cstdint>

#include "assignments/01_rnn_attention/rnn_attention.h"
#include "assignments/tensor.h"

namespace attn::cpu {

/// e[b, j] = v . tanh(s_prev[b] W_q + h[b, j] W_k)
/// s_prev [B, D_s], h [B, T, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a], e [B, T]
template <class T>
void additive_scores(TensorView<T, 2> e, TensorView<const T, 2> s_prev, TensorView<const T, 3> h,
                     TensorView<const T, 2> W_q, TensorView<const T, 2> W_k, TensorView<const T, 1> v);

/// a[b] = softmax of e[b] over the j with mask[b, j] = 1, else 0;  c[b] = sum_j a[b, j] h[b, j]
/// e, mask, a [B, T], h [B, T, D_h], c [B, D_h]
template <class T>
void attention_context(TensorView<T, 2> a, TensorView<T, 2> c, TensorView<const T, 2> e,
                       TensorView<const T, 3> h, TensorView<const std::uint8_t, 2> mask);

/// s = tanh([y_prev; c] W_x + s_prev W_s + b)
/// y_prev [B, D_y], c [B, D_h], s_prev [B, D_s], W_x [D_y + D_h, D_s], W_s [D_s, D_s], b [D_s], s [B, D_s]
template <class T>
void decoder_step(TensorView<T, 2> s, TensorView<const T, 2> y_prev, TensorView<const T, 2> c,
                  TensorView<const T, 2> s_prev, TensorView<const T, 2> W_x, TensorView<const T, 2> W_s,
                  TensorView<const T, 1> b);

/// s_0 = tanh(h_last W_0 + b_0), then L times: scores of s_{t-1}, their weights a_t and context c_t, the step
/// to s_t. S[b, t - 1] is s_t, A[b, t - 1] is a_t.
/// h [B, T, D_h], mask [B, T], y [B, L + 1, D_y], S [B, L, D_s], A [B, L, T]
template <class T>
void decode(TensorView<T, 3> S, TensorView<T, 3> A, TensorView<const T, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const T, 3> y,
            const DecoderWeights<T>& weights);

/// e[b, r, k] = v . tanh(s_prev[b] W_q + grid[b, r, k] W_k), a[b] = softmax of e[b] over all cells,
/// c[b] = sum_{r, k} a[b, r, k] grid[b, r, k]
/// s_prev [B, D_s], grid [B, R, C, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a], a [B, R, C], c [B, D_h]
template <class T>
void grid_attention(TensorView<T, 3> a, TensorView<T, 2> c, TensorView<const T, 2> s_prev,
                    TensorView<const T, 4> grid, TensorView<const T, 2> W_q, TensorView<const T, 2> W_k,
                    TensorView<const T, 1> v);

}  // namespace attn::cpu
