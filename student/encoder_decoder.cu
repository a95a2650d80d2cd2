// The functions of encoder_decoder.h, empty, for you to fill in.
// Handout: assignments/10_encoder_decoder/README.md
// What each function has to do, with every shape: assignments/10_encoder_decoder/encoder_decoder.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=10` after each. You need no GPU.

#include "device.h"
#include "encoder_decoder_cuda.h"
#include "masking_cuda.h"
#include "multi_head_cuda.h"
#include "positional_encoding_cuda.h"
#include "self_attention_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {

// Step 1.  X [B, N_t, D], S [B, N_s, D], weights (MultiHeadWeights), lengths [B] or empty, Y [B, N_t, D],
//          A [B, H, N_t, N_s] or empty
void cross_attention(TensorView<float, 3> Y, TensorView<float, 4> A, TensorView<const float, 3> X,
                     TensorView<const float, 3> S, const MultiHeadWeights<float>& weights,
                     TensorView<const int, 1> lengths, int H, cudaStream_t stream) {
    // Your code.
    // Delete this line: it only prevents a warning
    (void)Y, (void)A, (void)X, (void)S, (void)weights, (void)lengths, (void)H, (void)stream;
}

// Step 2.  X [B, N_t, D], S [B, N_s, D], weights (DecoderBlockWeights), lengths [B] or empty, Y [B, N_t, D]
void decoder_block(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 3> S,
                   const DecoderBlockWeights<float>& weights, TensorView<const int, 1> lengths, int H,
                   Norm norm, Activation activation, float eps, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)S, (void)weights, (void)lengths, (void)H, (void)norm, (void)activation, (void)eps,
        (void)stream;
}

// Step 3.  source [B, N_s], target [B, N_t], embedding [V, D], encoder (EncoderWeights),
//          decoder (DecoderStackWeights), lengths [B] or empty, logits [B, N_t, V]
void transformer(TensorView<float, 3> logits, TensorView<const int, 2> source,
                 TensorView<const int, 2> target, TensorView<const float, 2> embedding,
                 const EncoderWeights<float>& encoder, const DecoderStackWeights<float>& decoder,
                 TensorView<const int, 1> lengths, int H, Norm norm, Activation activation, float eps,
                 cudaStream_t stream) {
    // Your code.
    (void)logits, (void)source, (void)target, (void)embedding, (void)encoder, (void)decoder, (void)lengths,
        (void)H, (void)norm, (void)activation, (void)eps, (void)stream;
}

// Step 4.  source [B, N_s], embedding [V, D], encoder (EncoderWeights), decoder (DecoderStackWeights),
//          lengths [B] or empty, words [B, N_t], logits [B, N_t, V] or empty
void translate_greedy(TensorView<int, 2> words, TensorView<float, 3> logits, TensorView<const int, 2> source,
                      TensorView<const float, 2> embedding, const EncoderWeights<float>& encoder,
                      const DecoderStackWeights<float>& decoder, TensorView<const int, 1> lengths, int H,
                      Norm norm, Activation activation, float eps, int end, cudaStream_t stream) {
    // Your code.
    (void)words, (void)logits, (void)source, (void)embedding, (void)encoder, (void)decoder, (void)lengths,
        (void)H, (void)norm, (void)activation, (void)eps, (void)end, (void)stream;
}

}  // namespace attn::cuda
