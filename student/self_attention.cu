// Assignment 2: self-attention, on a GPU. Handout: assignments/02_self_attention/README.md
// What each function has to do, with every shape: assignments/02_self_attention/self_attention.h
// What is different on a GPU: assignments/device.h
//
// Fill in the functions in this order, and run `make grade A=2` after each. You need no GPU.

#include "device.h"
#include "self_attention_cuda.h"

namespace attn::cuda {

// Step 1.  X, Y [N, D]. Thread i owns row i: it reads row i of X, and only it writes row i of Y. Write the
// kernel above this function, inside `namespace attn::cuda`:
//
//     __global__ void softmax_of_rows(TensorView<float, 2> Y, TensorView<const float, 2> X) {
//         const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
//         if (i >= X.size(0)) return;  // the last block has more threads than needed
//         // Your code: the body of the loop over i.
//     }
void softmax(TensorView<float, 2> Y, TensorView<const float, 2> X, cudaStream_t stream) {
    // Your code. Start the kernel, and check that it has started:
    //     softmax_of_rows<<<blocks_for(X.size(0), 128), 128, 0, stream>>>(Y, X);
    //     check(cudaGetLastError(), "softmax_of_rows");
    (void)Y, (void)X, (void)stream;  // delete this: it only prevents a warning
}

// Step 2.  Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], A [B, N_q, N_k] or empty, Y [B, N_q, D_v].
// Three kernels, one after the other on `stream`: a thread of the first owns a score (b, i, j), of the second
// a row (b, i), of the third a number (b, i, d) of Y.
void scaled_dot_product_attention(TensorView<float, 3> Y, TensorView<float, 3> A,
                                  TensorView<const float, 3> Q, TensorView<const float, 3> K,
                                  TensorView<const float, 3> V, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)A, (void)Q, (void)K, (void)V, (void)stream;
}

// Step 3.  X [B, N, D_x], W_Q and W_K [D_x, D_q], W_V [D_x, D_v], Y [B, N, D_v]. A thread owns a number
// (b, i, d) of Q, K or V.
void self_attention(TensorView<float, 3> Y, TensorView<const float, 3> X, TensorView<const float, 2> W_Q,
                    TensorView<const float, 2> W_K, TensorView<const float, 2> W_V, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)W_Q, (void)W_K, (void)W_V, (void)stream;
}

}  // namespace attn::cuda
