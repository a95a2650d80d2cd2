// The functions of masked_language_model.h, empty, for you to fill in.
// Handout: assignments/12_masked_language_model/README.md
// What each function has to do, with every shape: assignments/12_masked_language_model/masked_language_model.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=12` after each. You need no GPU.

#include "device.h"
#include "masked_language_model_cuda.h"
#include "multi_head_cuda.h"
#include "transformer_block_cuda.h"

namespace attn::cuda {

// Step 1.  tokens, u_place, u_kind, u_word, hidden, targets [B, N]
void mask_tokens(TensorView<int, 2> hidden, TensorView<int, 2> targets, TensorView<const int, 2> tokens,
                 TensorView<const float, 2> u_place, TensorView<const float, 2> u_kind,
                 TensorView<const float, 2> u_word, int V, float share, cudaStream_t stream) {
    // Your code.
    (void)hidden, (void)targets, (void)tokens, (void)u_place, (void)u_kind, (void)u_word, (void)V,
        (void)share, (void)stream;  // delete this line: it only prevents a warning
}

// Step 2.  logits [B, N, V], targets [B, N], loss, right [1]
void mlm_loss(TensorView<float, 1> loss, TensorView<float, 1> right, TensorView<const float, 3> logits,
              TensorView<const int, 2> targets, cudaStream_t stream) {
    // Your code.
    (void)loss, (void)right, (void)logits, (void)targets, (void)stream;
}

// Step 3.  X [B, N, D], W [D, D], b, gamma, beta [D], table [V, D], bias [V], logits [B, N, V]
void token_head(TensorView<float, 3> logits, TensorView<const float, 3> X, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 1> gamma,
                TensorView<const float, 1> beta, TensorView<const float, 2> table,
                TensorView<const float, 1> bias, float eps, cudaStream_t stream) {
    // Your code.
    (void)logits, (void)X, (void)W, (void)b, (void)gamma, (void)beta, (void)table, (void)bias, (void)eps,
        (void)stream;
}

// Step 4.  X [B, N, D], lengths [B] or empty, W [D, D], b [D], W_c [D, K], b_c [K], logits [B, K]
void sentence_head(TensorView<float, 2> logits, TensorView<const float, 3> X,
                   TensorView<const int, 1> lengths, TensorView<const float, 2> W,
                   TensorView<const float, 1> b, TensorView<const float, 2> W_c,
                   TensorView<const float, 1> b_c, SentenceToken token, cudaStream_t stream) {
    // Your code.
    (void)logits, (void)X, (void)lengths, (void)W, (void)b, (void)W_c, (void)b_c, (void)token, (void)stream;
}

// Step 5.  first [B, N_1], second [B, N_2], lengths_1, lengths_2 [B], table [V, D], P [N_1+N_2+3, D],
//          E [G, D], X [B, N_1+N_2+3, D], tokens, positions, languages [B, N_1+N_2+3]
void tlm_input(TensorView<float, 3> X, TensorView<int, 2> tokens, TensorView<int, 2> positions,
               TensorView<int, 2> languages, TensorView<const int, 2> first, TensorView<const int, 2> second,
               TensorView<const int, 1> lengths_1, TensorView<const int, 1> lengths_2,
               TensorView<const float, 2> table, TensorView<const float, 2> P, TensorView<const float, 2> E,
               int language_1, int language_2, int separator, cudaStream_t stream) {
    // Your code.
    (void)X, (void)tokens, (void)positions, (void)languages, (void)first, (void)second, (void)lengths_1,
        (void)lengths_2, (void)table, (void)P, (void)E, (void)language_1, (void)language_2, (void)separator,
        (void)stream;
}

// Step 6.  premise [B, N_1], hypothesis [B, N_2], lengths_1, lengths_2 [B], table [V, D], P [N_1+N_2+3, D],
//          E [G, D], weights (EncoderWeights), W [D, D], b [D], W_c [D, K], b_c [K], logits [B, K]
void nli_logits(TensorView<float, 2> logits, TensorView<const int, 2> premise,
                TensorView<const int, 2> hypothesis, TensorView<const int, 1> lengths_1,
                TensorView<const int, 1> lengths_2, TensorView<const float, 2> table,
                TensorView<const float, 2> P, TensorView<const float, 2> E,
                const EncoderWeights<float>& weights, TensorView<const float, 2> W,
                TensorView<const float, 1> b, TensorView<const float, 2> W_c, TensorView<const float, 1> b_c,
                int H, SentenceToken token, int language_1, int language_2, int separator,
                cudaStream_t stream) {
    // Your code.
    (void)logits, (void)premise, (void)hypothesis, (void)lengths_1, (void)lengths_2, (void)table, (void)P,
        (void)E, (void)weights, (void)W, (void)b, (void)W_c, (void)b_c, (void)H, (void)token,
        (void)language_1, (void)language_2, (void)separator, (void)stream;
}

}  // namespace attn::cuda
