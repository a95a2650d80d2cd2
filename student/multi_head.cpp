// Assignment 3: multi-head attention. Handout: assignments/03_multi_head/README.md
// What each function has to do, with every shape: assignments/03_multi_head/multi_head.h
//
// Fill in the functions in this order, and run `make grade A=3` after each. You may call your functions of
// assignment 2: put `#include "self_attention.h"` below the other include.

#include "multi_head.h"

namespace attn {

// Step 1.  X [B, N, D], Y [B, H, N, D/H]; std::invalid_argument if H does not divide D
void split_heads(TensorView<float, 4> Y, TensorView<const float, 3> X) {
    // Your code. H is Y.size(1); write every Y(b, h, i, d).
    (void)Y, (void)X;  // delete this line: it only prevents a warning
}

// Step 2.  X [B, H, N, D_h], Y [B, N, H D_h]
void merge_heads(TensorView<float, 3> Y, TensorView<const float, 4> X) {
    // Your code.
    (void)Y, (void)X;
}

// Step 3.  X_q [B, N_q, D], X_kv [B, N_k, D], W_* [D, D], b_* [D], mask [B, N_q, N_k] or empty,
// Y [B, N_q, D]; std::invalid_argument if H does not divide D
void multi_head_attention(TensorView<float, 3> Y, TensorView<const float, 3> X_q,
                          TensorView<const float, 3> X_kv, const MultiHeadWeights<float>& weights,
                          TensorView<const std::uint8_t, 3> mask, int H) {
    // Your code. The layer's weights and biases are weights.W_Q, weights.b_Q and so on.
    (void)Y, (void)X_q, (void)X_kv, (void)weights, (void)mask, (void)H;
}

}  // namespace attn
