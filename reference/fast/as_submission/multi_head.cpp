// The contract's functions, answered by the yardstick.

#include "reference/fast/multi_head.h"

namespace attn {

void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    fast::split_heads(Y, X);
}

void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    fast::merge_heads(Y, X);
}

void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H) {
    fast::multi_head_attention(Y, X_q, X_kv, weights, mask, H);
}

}  // namespace attn
