#pragma once
/// Parts of models, made of functions of the contract, so that the weights of attention can be seen.

#include <string>

#include "grader/training/functions.h"
#include "grader/training/weights.h"

namespace attn::trained {

/// The function that a block gets its attention from. The smaller the function, the more of the block is put
/// together here.
enum class From { attention, masked_attention, multi_head, block };

/// A pre-norm transformer block with gelu_erf, X [B, N, D] to Y [B, N, D]. `mask` [B, N, N] may be an array
/// without values. From::attention takes none.
struct BlockOptions {
    int heads = 1;
    From from = From::block;
    Array mask = {};
};
Array block_output(Functions& f, const Array& X, const Arrays& weights, const BlockOptions& options);

/// The weights of attention in this block: [B, H, N, N].
Array attention_in_block(Functions& f, const Array& X, const Arrays& weights, const BlockOptions& options);

/// Layer norm of [.., D].
Array normed(Functions& f, const Array& X, const Array& gamma, const Array& beta);

/// X W + b, [.., D_in] to [.., D_out], called Y.
Array linear(const Array& X, const Array& W, const Array& b);

/// The same numbers in another shape and under another name.
Array reshaped(Array array, Shape shape, const std::string& name);

/// a + b, number by number, in the shape of a.
Array sum_of(const Array& a, const Array& b);

/// The first output.
Array only(Arrays outputs);

/// The mean over the heads: [B, N, N] of [B, H, N, N].
Array mean_over_heads(const Array& A);

/// The index of the largest number of each row of [.., D]; NaN is never the largest.
std::vector<int> largest(const Array& rows);

}  // namespace attn::trained
