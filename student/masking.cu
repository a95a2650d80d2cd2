// Assignment 4: masking, on a GPU. Handout: assignments/04_masking/README.md
// What each function has to do, with every shape: assignments/04_masking/masking.h
// What is different on a GPU: assignments/device.h
// Masks are uint8:  1 = MAY ATTEND,  0 = MAY NOT.
//
// Fill in the functions in this order, and run `make grade A=4` after each. You need no GPU.

#include "device.h"
#include "masking_cuda.h"

namespace attn::cuda {

// Step 1.  M [N_q, N_k]. Thread n owns one element, M(i, j). Write the kernel above
// this function:
//
//     __global__ void allow_the_past(TensorView<std::uint8_t, 2> M) {
//         const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
//         if (n >= M.count()) return;  // the last block has more threads than needed
//         const int i = n / M.size(1), j = n % M.size(1);
//         // Your code: the body of the loops over i and j.
//     }
void causal_mask(TensorView<std::uint8_t, 2> M, cudaStream_t stream) {
    // Your code. Start the kernel, and check that it has started:
    //     allow_the_past<<<blocks_for(M.count(), 128), 128, 0, stream>>>(M);
    //     check(cudaGetLastError(), "allow_the_past");
    (void)M, (void)stream;  // delete this: it only prevents a warning
}

// Step 2.  M [B, N_q, N_k], lengths [B]. A thread owns an element (b, i, j).
void padding_mask(TensorView<std::uint8_t, 3> M, TensorView<const int, 1> lengths, cudaStream_t stream) {
    // Your code.
    (void)M, (void)lengths, (void)stream;
}

// Step 3.  causal [N_q, N_k], padding and M [B, N_q, N_k]. A thread owns an element (b, i, j).
void combine_masks(TensorView<std::uint8_t, 3> M, TensorView<const std::uint8_t, 2> causal,
                   TensorView<const std::uint8_t, 3> padding, cudaStream_t stream) {
    // Your code.
    (void)M, (void)causal, (void)padding, (void)stream;
}

// Step 4.  X, mask, Y [N, D]. A thread owns a row i.
void masked_softmax(TensorView<float, 2> Y, TensorView<const float, 2> X,
                    TensorView<const std::uint8_t, 2> mask, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)X, (void)mask, (void)stream;
}

// Step 5.  Q [B, N_q, D_q], K [B, N_k, D_q], V [B, N_k, D_v], mask [B, N_q, N_k], A [B, N_q, N_k] or empty,
//          Y [B, N_q, D_v]. Three kernels, one after the other on `stream`: a thread of the first owns a
//          score (b, i, j), of the second a row (b, i), of the third a number (b, i, d) of Y.
void masked_attention(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,
                      TensorView<const float, 3> K, TensorView<const float, 3> V,
                      TensorView<const std::uint8_t, 3> mask, cudaStream_t stream) {
    // Your code.
    (void)Y, (void)A, (void)Q, (void)K, (void)V, (void)mask, (void)stream;
}

}  // namespace attn::cuda
