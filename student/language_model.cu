// The functions of language_model.h, empty, for you to fill in.
// Handout: assignments/11_language_model/README.md
// What each function has to do, with every shape: assignments/11_language_model/language_model.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=11` after each. You need no GPU.

#include "device.h"
#include "language_model_cuda.h"
#include "multi_head_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {

// Step 1.  tokens [B, N], table [V, D], Y [B, N, D]
void embed_tokens(TensorView<float, 3> Y, TensorView<const int, 2> tokens, TensorView<const float, 2> table,
                  cudaStream_t stream) {
    // Your code.
    (void)Y, (void)tokens, (void)table, (void)stream;  // delete this line: it only prevents a warning
}

// Step 2.  targets, tokens [B, N]
void shift_right(TensorView<int, 2> tokens, TensorView<const int, 2> targets, int start,
                 cudaStream_t stream) {
    // Your code.
    (void)tokens, (void)targets, (void)start, (void)stream;
}

// Step 3.  logits [B, N, V], targets [B, N], loss [1], losses [B, N] or empty
void cross_entropy(TensorView<float, 1> loss, TensorView<float, 2> losses, TensorView<const float, 3> logits,
                   TensorView<const int, 2> targets, float smoothing, cudaStream_t stream) {
    // Your code.
    (void)loss, (void)losses, (void)logits, (void)targets, (void)smoothing, (void)stream;
}

// Step 4.  logits [B, N, V], targets [B, N], ppl [1]
void perplexity(TensorView<float, 1> ppl, TensorView<const float, 3> logits, TensorView<const int, 2> targets,
                cudaStream_t stream) {
    // Your code.
    (void)ppl, (void)logits, (void)targets, (void)stream;
}

// Step 5.  logits [B, N, V], P [B, V]
void next_token_probabilities(TensorView<float, 2> P, TensorView<const float, 3> logits, float temperature,
                              cudaStream_t stream) {
    // Your code.
    (void)P, (void)logits, (void)temperature, (void)stream;
}

// Step 6.  P [B, V], u, tokens [B], Q [B, V] or empty
void sample_top_k(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, int k, cudaStream_t stream) {
    // Your code.
    (void)tokens, (void)Q, (void)P, (void)u, (void)k, (void)stream;
}

// Step 7.  P [B, V], u, tokens [B], Q [B, V] or empty
void sample_top_p(TensorView<int, 1> tokens, TensorView<float, 2> Q, TensorView<const float, 2> P,
                  TensorView<const float, 1> u, float p, cudaStream_t stream) {
    // Your code.
    (void)tokens, (void)Q, (void)P, (void)u, (void)p, (void)stream;
}

// Step 8.  tokens [B, N], table [V, D], P [N, D], weights (EncoderWeights), logits [B, N, V]
void language_model(TensorView<float, 3> logits, TensorView<const int, 2> tokens,
                    TensorView<const float, 2> table, TensorView<const float, 2> P,
                    const EncoderWeights<float>& weights, int H, cudaStream_t stream) {
    // Your code.
    (void)logits, (void)tokens, (void)table, (void)P, (void)weights, (void)H, (void)stream;
}

// Step 9.  prompt [B, N], table [V, D], P [N+N_new, D], weights (EncoderWeights), u, tokens [B, N_new]
void generate(TensorView<int, 2> tokens, TensorView<const int, 2> prompt, TensorView<const float, 2> table,
              TensorView<const float, 2> P, const EncoderWeights<float>& weights,
              TensorView<const float, 2> u, int H, int k, float temperature, int eos, cudaStream_t stream) {
    // Your code.
    (void)tokens, (void)prompt, (void)table, (void)P, (void)weights, (void)u, (void)H, (void)k,
        (void)temperature, (void)eos, (void)stream;
}

}  // namespace attn::cuda
