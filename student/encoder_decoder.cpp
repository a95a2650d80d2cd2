// Written by `contract --stubs` from encoder_decoder.h for you to fill in.
// Handout: assignments/10_encoder_decoder/README.md
// What each function has to do, with every shape: assignments/10_encoder_decoder/encoder_decoder.h
//
// Fill in the functions in this order, and run `make grade A=10` after each.

#include "encoder_decoder.h"

namespace attn {

// Step 1.  X [B, N_t, D], S [B, N_s, D], W_Q [D, D], b_Q [D], W_K [D, D], b_K [D], W_V [D, D], b_V [D], W_O [D, D], b_O [D], lengths [B] or empty, Y [B, N_t, D], A [B, H, N_t, N_s] or empty
void cross_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X,
                     TensorView<const float, 3> S, const MultiHeadWeights<float>& weights,
                     TensorView<const int, 1> lengths, int H) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)Y, (void)A, (void)X, (void)S, (void)weights, (void)lengths, (void)H;
}

// Step 2.  X [B, N_t, D], S [B, N_s, D], gamma_1, beta_1 [D], W_Q [D, D], b_Q [D], W_K [D, D], b_K [D], W_V [D, D], b_V [D], W_O [D, D], b_O, gamma_2, beta_2 [D], W_Q_c [D, D], b_Q_c [D], W_K_c [D, D], b_K_c [D], W_V_c [D, D], b_V_c [D], W_O_c [D, D], b_O_c, gamma_3, beta_3 [D], W_1 [D, F], b_1 [F], W_2 [F, D], b_2 [D], lengths [B] or empty, Y [B, N_t, D]
void decoder_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
                   const DecoderBlockWeights<float>& weights, TensorView<const int, 1> lengths, int H,
                   Norm norm, Activation activation, float eps) {
    // Your code.
    (void)Y, (void)X, (void)S, (void)weights, (void)lengths, (void)H, (void)norm, (void)activation, (void)eps;
}

// Step 3.  source [B, N_s], target [B, N_t], embedding [V, D], gamma_1, beta_1 [L, D], W_Q [L, D, D], b_Q [L, D], W_K [L, D, D], b_K [L, D], W_V [L, D, D], b_V [L, D], W_O [L, D, D], b_O, gamma_2, beta_2 [L, D], W_1 [L, D, F], b_1 [L, F], W_2 [L, F, D], b_2 [L, D], gamma, beta [D], gamma_1_d, beta_1_d [L, D], W_Q_d [L, D, D], b_Q_d [L, D], W_K_d [L, D, D], b_K_d [L, D], W_V_d [L, D, D], b_V_d [L, D], W_O_d [L, D, D], b_O_d, gamma_2_d, beta_2_d [L, D], W_Q_c [L, D, D], b_Q_c [L, D], W_K_c [L, D, D], b_K_c [L, D], W_V_c [L, D, D], b_V_c [L, D], W_O_c [L, D, D], b_O_c, gamma_3_d, beta_3_d [L, D], W_1_d [L, D, F], b_1_d [L, F], W_2_d [L, F, D], b_2_d [L, D], gamma_d, beta_d [D], lengths [B] or empty, logits [B, N_t, V]
void transformer(TensorView<float, 3> logits, TensorView<const int, 2> source,
                 TensorView<const int, 2> target, TensorView<const float, 2> embedding,
                 const EncoderWeights<float>& encoder, const DecoderStackWeights<float>& decoder,
                 TensorView<const int, 1> lengths, int H, Norm norm, Activation activation, float eps) {
    // Your code.
    (void)logits, (void)source, (void)target, (void)embedding, (void)encoder, (void)decoder, (void)lengths,
        (void)H, (void)norm, (void)activation, (void)eps;
}

// Step 4.  source [B, N_s], embedding [V, D], gamma_1, beta_1 [L, D], W_Q [L, D, D], b_Q [L, D], W_K [L, D, D], b_K [L, D], W_V [L, D, D], b_V [L, D], W_O [L, D, D], b_O, gamma_2, beta_2 [L, D], W_1 [L, D, F], b_1 [L, F], W_2 [L, F, D], b_2 [L, D], gamma, beta [D], gamma_1_d, beta_1_d [L, D], W_Q_d [L, D, D], b_Q_d [L, D], W_K_d [L, D, D], b_K_d [L, D], W_V_d [L, D, D], b_V_d [L, D], W_O_d [L, D, D], b_O_d, gamma_2_d, beta_2_d [L, D], W_Q_c [L, D, D], b_Q_c [L, D], W_K_c [L, D, D], b_K_c [L, D], W_V_c [L, D, D], b_V_c [L, D], W_O_c [L, D, D], b_O_c, gamma_3_d, beta_3_d [L, D], W_1_d [L, D, F], b_1_d [L, F], W_2_d [L, F, D], b_2_d [L, D], gamma_d, beta_d [D], lengths [B] or empty, words [B, N_t], logits [B, N_t, V] or empty
void translate_greedy(TensorView<int, 2> words, TensorView<float, 3> logits, TensorView<const int, 2> source,
                      TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                      const DecoderStackWeights<float>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, float eps, int end) {
    // Your code.
    (void)words, (void)logits, (void)source, (void)embedding, (void)encoder, (void)decoder, (void)lengths,
        (void)H, (void)norm, (void)activation, (void)eps, (void)end;
}

}  // namespace attn
