// Assignment 4: masking. Handout: assignments/04_masking/README.md
// What each function has to do, with every shape: assignments/04_masking/masking.h
// Masks are uint8:  1 = MAY ATTEND,  0 = MAY NOT.
//
// Fill in the functions in this order, and run `make grade A=4` after each.

#include "masking.h"

namespace attn {

// Step 1.  M [N_q, N_k]
void causal_mask(TensorView<std::uint8_t, 2> M) {
    // Your code. N_q is M.size(0), N_k is M.size(1); write every M(i, j).
    (void)M;  // delete this line: it only prevents a warning
}

// Step 2.  M [B, N_q, N_k], lengths [B]
void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths) {
    // Your code.
    (void)M, (void)lengths;
}

// Step 3.  causal [N_q, N_k], padding and M [B, N_q, N_k]
void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding) {
    // Your code.
    (void)M, (void)causal, (void)padding;
}

// Step 4.  X, mask, Y [N, D]
void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask) {
    // Your code.
    (void)Y, (void)X, (void)mask;
}

// Step 5.  Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], mask [B, N_q, N_k], A [B, N_q, N_k] or empty,
//          Y [B, N_q, D_v]
void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask) {
    // Your code.
    (void)Y, (void)A, (void)Q, (void)K, (void)V, (void)mask;
}

}  // namespace attn
