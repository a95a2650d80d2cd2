// Assignment 2: self-attention. Handout: assignments/02_self_attention/README.md
// What each function has to do, with every shape: assignments/02_self_attention/self_attention.h
//
// Fill in the functions in this order, and run `make grade A=2` after each.

#include "self_attention.h"

namespace attn {

// Step 1.  X, Y [N, D]
void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X) {
    // Your code. N is X.size(0), D is X.size(1); write every Y(i, j).
    (void)Y, (void)X;  // delete this line: it only prevents a warning
}

// Step 2.  Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], A [B, N_q, N_k] or empty, Y [B, N_q, D_v]
void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V) {
    // Your code.
    (void)Y, (void)A, (void)Q, (void)K, (void)V;
}

// Step 3.  X [B, N, D_x], W_Q and W_K [D_x, D_q], W_V [D_x, D_v], Y [B, N, D_v]
void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V) {
    // Your code.
    (void)Y, (void)X, (void)W_Q, (void)W_K, (void)W_V;
}

}  // namespace attn
