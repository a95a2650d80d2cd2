#pragma once
/// Assignment 1 at the machine's speed; see reference/rnn_attention.h.

#include <cstdint>

#include "assignments/01_rnn_attention/rnn_attention.h"
#include "assignments/tensor.h"

namespace attn::fast {

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v);

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask);

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b);

/// h W_k, the same in every step, is computed once.
void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights);

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v);

}  // namespace attn::fast
