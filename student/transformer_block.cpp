// Assignment 5: the transformer block. Handout: assignments/05_transformer_block/README.md
// What each function has to do, with every shape: assignments/05_transformer_block/transformer_block.h
//
// Fill in the functions in this order, and run `make grade A=5` after each.

#include "transformer_block.h"

#include "multi_head.h"

namespace attn {

// Step 1.  X, Y [N, D], gamma, beta [D]
void layer_norm(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, float eps) {
    // Your code. N is X.size(0), D is X.size(1); write every Y(i, d).
    (void)Y, (void)X, (void)gamma, (void)beta,
        (void)eps;  // delete this line: it only prevents a warning
}

// Step 2.  X, Y [N, D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D]
void feed_forward(TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> W_1,
                  TensorView<const float, 1> b_1, TensorView<const float, 2> W_2,
                  TensorView<const float, 1> b_2, Activation activation) {
    // Your code.
    (void)Y, (void)X, (void)W_1, (void)b_1, (void)W_2, (void)b_2, (void)activation;
}

// Step 3.  X, Y [B, N, D], mask [B, N, N] or empty; the attention is your multi_head_attention
void transformer_block(TensorView<float, 3> Y, TensorView<const float, 3> X,
                       const BlockWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                       Norm norm, Activation activation, float eps) {
    // Your code.
    (void)Y, (void)X, (void)weights, (void)mask, (void)H, (void)norm, (void)activation, (void)eps;
}

// Step 4.  X, Y [B, N, D]; weights.layers() is L, weights.layer(l) has the weights of block l
void transformer_encoder(TensorView<float, 3> Y, TensorView<const float, 3> X,
                         const EncoderWeights<float>& weights, TensorView<const std::uint8_t, 3> mask, int H,
                         Norm norm, Activation activation, float eps) {
    // Your code.
    (void)Y, (void)X, (void)weights, (void)mask, (void)H, (void)norm, (void)activation, (void)eps;
}

}  // namespace attn
