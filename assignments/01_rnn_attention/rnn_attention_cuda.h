#pragma once
/// Assignment 1 on a GPU: the five functions of rnn_attention.h, which you write in student/rnn_attention.cu.
/// What each has to do, with every shape, stands in rnn_attention.h; what is different on a GPU, in device.h.
/// The views in DecoderWeights are of the device's memory as well.

#include <cstdint>

#include <cuda_runtime.h>

#include "rnn_attention.h"

namespace attn::cuda {

void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v, cudaStream_t stream);

void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                       cudaStream_t stream);

void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b, cudaStream_t stream);

void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights, cudaStream_t stream);

void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v, cudaStream_t stream);

}  // namespace attn::cuda
