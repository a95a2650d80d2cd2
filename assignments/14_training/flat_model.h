#pragma once
/// The model of assignment 14 in one vector theta: which number is which weight.
///   table [V, D], positions P [N, D], then the L blocks, then gamma [D] and beta [D] of the last layer norm.
/// A block is gamma_1, beta_1, W_Q, b_Q, W_K, b_K, W_V, b_V, W_O, b_O, gamma_2, beta_2, W_1, b_1, W_2, b_2. Arrays
/// are row-major and follow each other without gaps. A gradient has the same order.

#include "../05_transformer_block/transformer_block.h"
#include "../13_backward/backward.h"
#include "../tensor.h"

namespace attn {

/// How many numbers a block has.
inline int numbers_of_block(int D, int F) {
    return 4 * D * D + 2 * D * F + 9 * D + F;
}

/// Where block l begins in theta. l = L: where the last layer norm begins.
inline int begin_of_block(int V, int N, int D, int F, int l) {
    return V * D + N * D + l * numbers_of_block(D, F);
}

/// The weights of the block that begins at theta[begin].
template <class T>
BlockWeights<T> block_at(TensorView<const T, 1> theta, int begin, int D, int F) {
    const int Q = begin + 2 * D, K = Q + D * D + D, V = K + D * D + D, O = V + D * D + D;
    const int norm_2 = O + D * D + D, W_1 = norm_2 + 2 * D, W_2 = W_1 + D * F + F;
    return {
        TensorView<const T, 1>(theta.data() + begin, D),
        TensorView<const T, 1>(theta.data() + begin + D, D),
        {TensorView<const T, 2>(theta.data() + Q, D, D), TensorView<const T, 1>(theta.data() + Q + D * D, D),
         TensorView<const T, 2>(theta.data() + K, D, D), TensorView<const T, 1>(theta.data() + K + D * D, D),
         TensorView<const T, 2>(theta.data() + V, D, D), TensorView<const T, 1>(theta.data() + V + D * D, D),
         TensorView<const T, 2>(theta.data() + O, D, D), TensorView<const T, 1>(theta.data() + O + D * D, D)},
        TensorView<const T, 1>(theta.data() + norm_2, D),
        TensorView<const T, 1>(theta.data() + norm_2 + D, D),
        TensorView<const T, 2>(theta.data() + W_1, D, F),
        TensorView<const T, 1>(theta.data() + W_1 + D * F, F),
        TensorView<const T, 2>(theta.data() + W_2, F, D),
        TensorView<const T, 1>(theta.data() + W_2 + F * D, D)};
}

/// The gradients of this block's weights, in a gradient of all weights.
template <class T>
BlockGradients<T> block_gradients_at(TensorView<T, 1> gradient, int begin, int D, int F) {
    const int Q = begin + 2 * D, K = Q + D * D + D, V = K + D * D + D, O = V + D * D + D;
    const int norm_2 = O + D * D + D, W_1 = norm_2 + 2 * D, W_2 = W_1 + D * F + F;
    return {TensorView<T, 1>(gradient.data() + begin, D),
            TensorView<T, 1>(gradient.data() + begin + D, D),
            {TensorView<T, 2>(gradient.data() + Q, D, D), TensorView<T, 1>(gradient.data() + Q + D * D, D),
             TensorView<T, 2>(gradient.data() + K, D, D), TensorView<T, 1>(gradient.data() + K + D * D, D),
             TensorView<T, 2>(gradient.data() + V, D, D), TensorView<T, 1>(gradient.data() + V + D * D, D),
             TensorView<T, 2>(gradient.data() + O, D, D), TensorView<T, 1>(gradient.data() + O + D * D, D)},
            TensorView<T, 1>(gradient.data() + norm_2, D),
            TensorView<T, 1>(gradient.data() + norm_2 + D, D),
            TensorView<T, 2>(gradient.data() + W_1, D, F),
            TensorView<T, 1>(gradient.data() + W_1 + D * F, F),
            TensorView<T, 2>(gradient.data() + W_2, F, D),
            TensorView<T, 1>(gradient.data() + W_2 + F * D, D)};
}

}  // namespace attn
