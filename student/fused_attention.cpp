// The functions of fused_attention.h, empty, for you to fill in.
// Handout: assignments/15_fused_attention/README.md
// What each function has to do, with every shape: assignments/15_fused_attention/fused_attention.h
//
// Fill in the functions in this order, and run `make grade A=15` after each.

#include "fused_attention.h"

namespace attn {

// Step 1.  X, Y, m, l [N, D]
void online_softmax(TensorView<float, 2> Y, TensorView<float, 2> m, TensorView<float, 2> l,
                    TensorView<const float, 2> X) {
    // Your code.
    (void)Y, (void)m, (void)l, (void)X;  // delete this line: it only prevents a warning
}

// Step 2.  Q, K [B, N, D_q], V, Y [B, N, D_v], L [B, N] or empty, visited [ceil(N/B_r), ceil(N/B_c)] or empty
void blocked_attention(TensorView<float, 3> Y, TensorView<float, 2> L, TensorView<std::uint8_t, 2> visited,
                       TensorView<const float, 3> Q, TensorView<const float, 3> K,
                       TensorView<const float, 3> V, bool causal, int B_r, int B_c) {
    // Your code.
    (void)Y, (void)L, (void)visited, (void)Q, (void)K, (void)V, (void)causal, (void)B_r, (void)B_c;
}

// Step 3.  dY [B, N, D_v], Q, K [B, N, D_q], V, Y [B, N, D_v], L [B, N], dQ, dK [B, N, D_q], dV [B, N, D_v]
void blocked_attention_backward(TensorView<float, 3> dQ, TensorView<float, 3> dK, TensorView<float, 3> dV,
                                TensorView<const float, 3> dY, TensorView<const float, 3> Q,
                                TensorView<const float, 3> K, TensorView<const float, 3> V,
                                TensorView<const float, 3> Y, TensorView<const float, 2> L, bool causal) {
    // Your code.
    (void)dQ, (void)dK, (void)dV, (void)dY, (void)Q, (void)K, (void)V, (void)Y, (void)L, (void)causal;
}

// Step 4.  Q, K [B, N, D_q], V, Y [B, N, D_v]
void sliding_window_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q,
                              TensorView<const float, 3> K, TensorView<const float, 3> V, bool causal,
                              int W) {
    // Your code.
    (void)Y, (void)Q, (void)K, (void)V, (void)causal, (void)W;
}

// Step 5.  Q, K [B, N, D_q], V, Y [B, N, D_v]
void linear_attention(TensorView<float, 3> Y, TensorView<const float, 3> Q, TensorView<const float, 3> K,
                      TensorView<const float, 3> V, bool causal) {
    // Your code.
    (void)Y, (void)Q, (void)K, (void)V, (void)causal;
}

}  // namespace attn
