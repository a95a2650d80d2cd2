// The functions of encoder_decoder.h, empty, for you to fill in.
// Handout: assignments/10_encoder_decoder/README.md
// What each function has to do, with every shape: assignments/10_encoder_decoder/encoder_decoder.h
//
// Fill in the functions in this order, and run `make grade A=10` after each.

#include "encoder_decoder.h"

namespace attn {

// Step 1.  X [B, N_t, D], S [B, N_s, D], weights (MultiHeadWeights), lengths [B] or empty, Y [B, N_t, D],
//          A [B, H, N_t, N_s] or empty
void cross_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X,
                     TensorView<const float, 3> S, const MultiHeadWeights<float>& weights,
                     TensorView<const int, 1> lengths, int H) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)Y, (void)A, (void)X, (void)S, (void)weights, (void)lengths, (void)H;
}

// Step 2.  X [B, N_t, D], S [B, N_s, D], weights (DecoderBlockWeights), lengths [B] or empty, Y [B, N_t, D]
void decoder_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
                   const DecoderBlockWeights<float>& weights, TensorView<const int, 1> lengths, int H,
                   Norm norm, Activation activation, float eps) {
    // Your code.
    (void)Y, (void)X, (void)S, (void)weights, (void)lengths, (void)H, (void)norm, (void)activation, (void)eps;
}

// Step 3.  source [B, N_s], target [B, N_t], embedding [V, D], encoder (EncoderWeights),
//          decoder (DecoderStackWeights), lengths [B] or empty, logits [B, N_t, V]
void transformer(TensorView<float, 3> logits, TensorView<const int, 2> source,
                 TensorView<const int, 2> target, TensorView<const float, 2> embedding,
                 const EncoderWeights<float>& encoder, const DecoderStackWeights<float>& decoder,
                 TensorView<const int, 1> lengths, int H, Norm norm, Activation activation, float eps) {
    // Your code.
    (void)logits, (void)source, (void)target, (void)embedding, (void)encoder, (void)decoder, (void)lengths,
        (void)H, (void)norm, (void)activation, (void)eps;
}

// Step 4.  source [B, N_s], embedding [V, D], encoder (EncoderWeights), decoder (DecoderStackWeights),
//          lengths [B] or empty, words [B, N_t], logits [B, N_t, V] or empty
void translate_greedy(TensorView<int, 2> words, TensorView<float, 3> logits, TensorView<const int, 2> source,
                      TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                      const DecoderStackWeights<float>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, float eps, int end) {
    // Your code.
    (void)words, (void)logits, (void)source, (void)embedding, (void)encoder, (void)decoder, (void)lengths,
        (void)H, (void)norm, (void)activation, (void)eps, (void)end;
}

}  // namespace attn
