// Assignment 1: RNN attention. Handout: assignments/01_rnn_attention/README.md
// What each function has to do, with every shape: assignments/01_rnn_attention/rnn_attention.h
//
// Fill in the functions in this order, and run `make grade A=1` after each.

#include "rnn_attention.h"

namespace attn {

// Step 1.  s_prev [B, D_s], h [B, T, D_h], W_q [D_s, D_a], W_k [D_h, D_a], v [D_a], e [B, T]
void additive_scores(TensorView<float, 2> e, TensorView<const float, 2> s_prev, TensorView<const float, 3> h,
                     TensorView<const float, 2> W_q, TensorView<const float, 2> W_k,
                     TensorView<const float, 1> v) {
    // Your code. B is h.size(0), T is h.size(1); write every e(b, j).
    (void)e, (void)s_prev, (void)h, (void)W_q, (void)W_k, (void)v;  // delete this: it only prevents a warning
}

// Step 2.  e and mask [B, T], h [B, T, D_h], a [B, T], c [B, D_h]; mask: 1 = may attend
void attention_context(TensorView<float, 2> a, TensorView<float, 2> c, TensorView<const float, 2> e,
                       TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask) {
    // Your code.
    (void)a, (void)c, (void)e, (void)h, (void)mask;
}

// Step 3.  y_prev [B, D_y], c [B, D_h], s_prev [B, D_s], W_x [D_y + D_h, D_s], W_s [D_s, D_s], b [D_s],
//          s [B, D_s]
void decoder_step(TensorView<float, 2> s, TensorView<const float, 2> y_prev, TensorView<const float, 2> c,
                  TensorView<const float, 2> s_prev, TensorView<const float, 2> W_x,
                  TensorView<const float, 2> W_s, TensorView<const float, 1> b) {
    // Your code.
    (void)s, (void)y_prev, (void)c, (void)s_prev, (void)W_x, (void)W_s, (void)b;
}

// Step 4.  h [B, T, D_h], mask [B, T], y [B, L + 1, D_y], S [B, L, D_s], A [B, L, T];
//          weights.W_q, weights.W_k, .. as in steps 1 and 3, weights.W_0 [D_h, D_s], weights.b_0 [D_s]
void decode(TensorView<float, 3> S, TensorView<float, 3> A, TensorView<const float, 3> h,
            TensorView<const std::uint8_t, 2> mask, TensorView<const float, 3> y,
            const DecoderWeights<float>& weights) {
    // Your code.
    (void)S, (void)A, (void)h, (void)mask, (void)y, (void)weights;
}

// Step 5.  s_prev [B, D_s], grid [B, R, C, D_h], W_q, W_k, v as in step 1, a [B, R, C], c [B, D_h]
void grid_attention(TensorView<float, 3> a, TensorView<float, 2> c, TensorView<const float, 2> s_prev,
                    TensorView<const float, 4> grid, TensorView<const float, 2> W_q,
                    TensorView<const float, 2> W_k, TensorView<const float, 1> v) {
    // Your code.
    (void)a, (void)c, (void)s_prev, (void)grid, (void)W_q, (void)W_k, (void)v;
}

}  // namespace attn
