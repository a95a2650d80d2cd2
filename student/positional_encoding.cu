// The functions of positional_encoding.h, empty, for you to fill in.
// Handout: assignments/09_positional_encoding/README.md
// What each function has to do, with every shape: assignments/09_positional_encoding/positional_encoding.h
// What is different on a GPU, and how a thread finds the element that it owns: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=9` after each. You need no GPU.

#include "device.h"
#include "positional_encoding_cuda.h"
#include "self_attention_cuda.h"

namespace attn::cuda {

// Step 1.  P [N, D]
void naive_positions(TensorView<float, 2> P, Naive kind, cudaStream_t stream) {
    // Your code.
    (void)P, (void)kind, (void)stream;  // delete this line: it only prevents a warning
}

// Step 2.  P [N, D]
void sinusoidal_positions(TensorView<float, 2> P, cudaStream_t stream) {
    // Your code.
    (void)P, (void)stream;
}

// Step 3.  X [B, N, D], P [N, D], Y [B, N, D]
void add_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P,
                   cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)P, (void)stream;
}

// Step 4.  X [B, N, D], P [N, D_p], Y [B, N, D+D_p]
void concatenate_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> P,
                           cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)P, (void)stream;
}

// Step 5.  Q, K [B, N, D_q], V [B, N, D_v], R_K [2*C+1, D_q], R_V [2*C+1, D_v], Y [B, N, D_v],
//          A [B, N, N] or empty
void relative_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                        TensorView<const float, 3> K, TensorView<const float, 3> V,
                        TensorView<const float, 2> R_K, TensorView<const float, 2> R_V, int C,
                        cudaStream_t stream) {
    // Your code.
    (void)Y, (void)A, (void)Q, (void)K, (void)V, (void)R_K, (void)R_V, (void)C, (void)stream;
}

// Step 6.  X, Y [B, N, D]
void rotary_positions(TensorView<float, 3> Y, TensorView<const float, 3> X, int offset, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)offset, (void)stream;
}

// Step 7.  Q, K [B, N, D_q], V, Y [B, N, D_v], A [B, N, N] or empty
void rotary_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)A, (void)Q, (void)K, (void)V, (void)stream;
}

// Step 8.  bias [H, N, N]
void alibi_bias(TensorView<float, 3> bias, cudaStream_t stream) {
    // Your code.
    (void)bias, (void)stream;
}

}  // namespace attn::cuda
