#pragma once
/// Parts of additive scores, for decoders that compute the keys once for all of their steps. rnn_attention.cpp
/// defines them.

#include "assignments/tensor.h"
#include "reference/fast/matmul.h"

namespace attn::fast {

/// What every source word brings to its score: h W_k, good until the thread's next call      [B T, D_a]
/// h [B, T, D_h], W_k [D_h, D_a]
Matrix<const float> additive_keys(TensorView<const float, 3> h, Matrix<const float> W_k);

/// queries = s W_q                                  [B, D_a]
/// e[b, j] = v . tanh(queries[b] + keys[b, j])      [B, T]
/// s [B, D_s], keys [B T, D_a], W_q [D_s, D_a], v [D_a]
void additive_scores_of_keys(TensorView<float, 2> e, Matrix<const float> s, Matrix<const float> keys,
                             Matrix<const float> W_q, TensorView<const float, 1> v, Matrix<float> queries);

}  // namespace attn::fast
